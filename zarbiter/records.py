"""What `zarbiter verify`, `backup` and `restore` do."""

import argparse
import json
import sys
from pathlib import Path

from recording.record_chain import Head
from recording.record_copy import backup, restore
from recording.record_errors import KeyFileError, NoRecordError, RecordError
from recording.signing import device_key, read_public_key
from recording.verify import Verdict, Verification, verify_record
from zarbiter.command import FAILED, WRONG_USE, complain


def verification_to_text(found: Verification, language: str) -> str:
    """Write a verification for people."""
    ru = language == "ru"
    lines = [found.explain[0 if ru else 1]]
    if found.broken is not None and found.signed_to:
        lines.append(
            f"Подписано и цело до записи {found.signed_to}."
            if ru
            else f"Signed and whole up to row {found.signed_to}."
        )
    if found.pruned:
        lines.append(
            f"Снимков удалено для экономии места, с отметкой в протоколе: {found.pruned}."
            if ru
            else f"Pictures removed to save room, as the record tells: {found.pruned}."
        )
    if found.not_synced:
        lines.append(
            f"Записей, где часы могли врать («not synced»): {found.not_synced}."
            if ru
            else f'Rows whose date may be wrong ("not synced"): {found.not_synced}.'
        )
    head = found.head
    lines.append(f"{'Конец' if ru else 'Head'}: {head.seq}:{head.hash[:16]}")
    return "\n".join(lines)


def run_verify(options: argparse.Namespace) -> int:
    """Verify a record and say what was found; 0 only if it is signed to its last row."""
    try:
        key = read_public_key(Path(options.key)) if options.key else None
        head = _head(options.head)
        found = verify_record(
            Path(options.record), key, head=head, pictures=not options.no_pictures
        )
    except RecordError as error:
        return _complain(error, options.language)
    except ValueError:
        return complain(f"--head {options.head}: expected SEQ:HASH", WRONG_USE)
    if options.json:
        line = {"record": options.record, **found.to_json()}
        sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write(verification_to_text(found, options.language) + "\n")
    # Rows that nobody signed prove nothing: a script must not take them for proved.
    return 0 if found.verdict is Verdict.OK else FAILED


def _head(text: str | None) -> Head | None:
    if text is None:
        return None
    seq, _, digits = text.partition(":")
    if int(seq) < 1 or len(digits) < 8 or set(digits.lower()) - set("0123456789abcdef"):
        raise ValueError
    return Head(int(seq), digits.lower())


def run_backup(options: argparse.Namespace) -> int:
    """Copy a record."""
    try:
        head = backup(Path(options.record), Path(options.to))
    except RecordError as error:
        return _complain(error, options.language)
    ru = options.language == "ru"
    said = f"Скопировано записей: {head.seq}" if ru else f"Rows copied: {head.seq}"
    sys.stdout.write(f"{said} ({head.seq}:{head.hash[:16]})\n")
    return 0


def run_restore(options: argparse.Namespace) -> int:
    """Put a copy in a record's place."""
    record = Path(options.record)
    try:
        key = device_key(Path(options.keys) if options.keys else record.resolve().parent)
        head = restore(Path(options.copy), record, key, even_broken=options.even_broken)
    except RecordError as error:
        return _complain(error, options.language)
    ru = options.language == "ru"
    said = f"Восстановлено записей: {head.seq}" if ru else f"Rows restored: {head.seq}"
    sys.stdout.write(f"{said} ({head.seq}:{head.hash[:16]})\n")
    return 0


def _complain(error: RecordError, language: str) -> int:
    status = WRONG_USE if isinstance(error, NoRecordError | KeyFileError) else FAILED
    return complain(error.ru if language == "ru" else error.en, status)
