"""Write a Word document with other contents of some of its members."""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Mapping
from copy import copy
from io import BytesIO

from lexls.library.document import UnreadableFile


def replace_members(data: bytes, changed: Mapping[str, bytes]) -> bytes:
    """The archive with other contents of some members. All others are not even unpacked."""
    out = BytesIO()
    left = dict(changed)
    with zipfile.ZipFile(BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        if sum(each.compress_size for each in old.infolist()) > len(data):
            raise UnreadableFile("damaged DOCX file (its members overlap)")
        for member in old.infolist():
            if member.filename in left:
                new.writestr(_like(member), left.pop(member.filename), zipfile.ZIP_DEFLATED)
            else:
                _copy_member(data, member, new)
        for name, content in left.items():
            new.writestr(_like(old.infolist()[0], name), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _like(member: zipfile.ZipInfo, name: str = "") -> zipfile.ZipInfo:
    made = zipfile.ZipInfo(name or member.filename, member.date_time)
    made.external_attr, made.create_system = member.external_attr, member.create_system
    return made


def _copy_member(data: bytes, member: zipfile.ZipInfo, new: zipfile.ZipFile) -> None:
    """Copy a member as it is packed."""
    names = struct.unpack("<HH", data[member.header_offset + 26 : member.header_offset + 30])
    start = member.header_offset + 30 + sum(names)
    made = copy(member)
    made.flag_bits &= ~0x08  # its size stands before it
    file = new.fp
    assert file is not None
    made.header_offset = file.tell()
    file.write(made.FileHeader(zip64=None))
    file.write(data[start : start + member.compress_size])
    new.filelist.append(made)
    new.NameToInfo[made.filename] = made
    new.start_dir = file.tell()
