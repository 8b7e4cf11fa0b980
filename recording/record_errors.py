"""What can go wrong with a record, each with a sentence and a remedy in Russian and English."""

import errno
import os
import sqlite3
from pathlib import Path


class RecordError(Exception):
    """Root of the record's errors; `ru` and `en` are sentences for people."""

    def __init__(self, ru: str, en: str) -> None:
        super().__init__(en)
        self.ru = ru
        self.en = en


class EntryError(RecordError, ValueError):
    """An entry, or a line, that is no row of a record."""


class NoRecordError(RecordError):
    """There is no record at this place."""


class RecordBusyError(RecordError):
    """Another process writes this record."""


class RecordFullError(RecordError):
    """No room is left, even for events; nothing of the call was written."""


class RecordReadOnlyError(RecordError):
    """The file system, or this user's rights, do not allow writing."""


class RecordDiskError(RecordError):
    """The disk failed while writing; the record must be opened again."""


class RecordDamagedError(RecordError):
    """The file is no sound record any more."""


class RecordVersionError(RecordError):
    """The record was made by a newer program."""


class RecordImportError(RecordError):
    """Lines that are no whole, unchanged record."""


class KeyFileError(RecordError):
    """The signing key, or a public key, cannot be read."""


def full(path: Path) -> RecordFullError:
    """Return the error for a full disk."""
    return RecordFullError(
        f"На диске нет места даже для событий ({path}). Игра не записывается: освободите "
        "место (удалите старые файлы или подключите другой диск) и продолжайте.",
        f"The disk has no room even for events ({path}). Nothing is being recorded: free some "
        "space (delete old files or attach another disk), then go on.",
    )


def read_only(path: Path) -> RecordReadOnlyError:
    """Return the error for a place that may not be written."""
    return RecordReadOnlyError(
        f"В {path} нельзя писать: диск подключён только для чтения или не хватает прав. "
        "Перезагрузите устройство; если не поможет, замените карту памяти или проверьте права.",
        f"{path} cannot be written: the disk is read-only or the rights are missing. Restart "
        "the device; if that does not help, replace the memory card or check the rights.",
    )


def disk(path: Path, reason: str) -> RecordDiskError:
    """Return the error for a disk that fails."""
    return RecordDiskError(
        f"Диск не записывает {path} ({reason}). Последнее действие не записано; откройте "
        "протокол заново, а карту памяти замените при первой возможности.",
        f"The disk does not write {path} ({reason}). The last action was not recorded; open "
        "the record again, and replace the memory card as soon as you can.",
    )


def damaged(path: Path, reason: str) -> RecordDamagedError:
    """Return the error for a file that is no sound record."""
    return RecordDamagedError(
        f"Файл {path} повреждён ({reason}). Он будет восстановлен, когда стол откроет его "
        "для записи; копию можно вернуть командой zarbiter restore.",
        f"The file {path} is damaged ({reason}). It is rebuilt when its table opens it for "
        "writing; a copy is brought back with zarbiter restore.",
    )


def from_os(path: Path, error: OSError) -> RecordError:
    """Name what an error of the operating system means for the record."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return full(path)
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return read_only(path)
    return disk(path, error.strerror or str(error))


def from_sqlite(path: Path, error: sqlite3.Error) -> RecordError:
    """Name what an error of SQLite means for the record."""
    # Errors raised by Python's own module carry no code.
    name = getattr(error, "sqlite_errorname", "")
    match name.split("_")[1:2]:
        case ["FULL"]:
            return full(path)
        case ["READONLY" | "PERM" | "AUTH"]:
            return read_only(path)
        case ["CORRUPT" | "NOTADB" | "FORMAT"]:
            return damaged(path, str(error))
        case ["BUSY" | "LOCKED"]:
            return RecordBusyError(
                f"{path} занят другой программой: закройте её.",
                f"{path} is in use by another program: close it.",
            )
        case ["IOERR" | "CANTOPEN"]:
            # A quota, a size limit and a card that fails look alike to SQLite: write a little
            # to learn which it is.
            return _probed(path, name)
        case _:
            return disk(path, f"{name} {error}".strip())


def _probed(path: Path, name: str) -> RecordError:
    probe = path.parent / f".probe-{os.getpid()}"
    try:
        try:
            # At the end of what the record holds, where a limit of a file's size bites.
            place = path.with_name(path.name + "-wal")
            size = place.stat().st_size if place.exists() else 0
            descriptor = os.open(probe, os.O_WRONLY | os.O_CREAT, 0o600)
            try:
                os.pwrite(descriptor, b"\0" * 8192, size)
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        finally:
            probe.unlink(missing_ok=True)
    except OSError as error:
        return from_os(path, error)
    return disk(path, name)
