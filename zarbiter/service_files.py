"""A recorded match as a file to download."""

from pathlib import Path

from recording.mat_write import ExportError
from recording.record_errors import RecordError
from zarbiter.exchange import export_recorded
from zarbiter.record_export import RecordMatchError, recorded_match

_MEDIA = {
    "mat": "text/plain; charset=utf-8",
    "sgf": "application/x-go-sgf; charset=utf-8",
    "json": "application/x-ndjson; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "pdf": "application/pdf",
}


def export_match(place: Path, match: str, form: str, language: str) -> tuple[bytes, str, str]:
    """Return a match of a record as (bytes, media type, file name).

    Raises:
        LookupError: no such match.
        ValueError: no such form, or the match cannot be told in it.
    """
    if form not in _MEDIA:
        raise ValueError(f"format: one of {', '.join(_MEDIA)}")
    try:
        recorded = recorded_match(place, match)
        data = export_recorded(recorded, form, language)
    except RecordMatchError as error:
        raise LookupError(str(error)) from error
    except (ExportError, RecordError) as error:
        raise ValueError(str(error)) from error
    long = not recorded.story.state.variant.hits
    ending = {"mat": "nardy.mat" if long else "mat", "json": "jsonl"}.get(form, form)
    return data, _MEDIA[form], f"{match}.{ending}"
