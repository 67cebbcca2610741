#!/usr/bin/env python3
"""image.py OUT.tar NAME:TAG FOLDER[,FOLDER...] ENTRYPOINT...: makes a container image without a daemon or a base image.

Each folder becomes a layer. The same folders give the same bytes: owners and times of files are left out. The archive
has the format of `docker save`, which `ctr images import` reads.
"""

import hashlib
import io
import json
import os
import platform
import sys
import tarfile

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}


def anonymous(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.mtime = entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry


def write_layer(path: str, root: str) -> str:
    """Writes the folder as a tar file and returns its digest."""
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as layer:
        for folder, subfolders, files in os.walk(root):
            subfolders.sort()
            for name in sorted(files + subfolders):
                file = os.path.join(folder, name)
                layer.add(file, os.path.relpath(file, root), recursive=False, filter=anonymous)
    digest = hashlib.sha256()
    with open(path, "rb") as layer:
        while block := layer.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def add(image: tarfile.TarFile, name: str, size: int, content) -> None:
    entry = tarfile.TarInfo(name)
    entry.size = size
    image.addfile(entry, content)


def main(out: str, name: str, folders: str, *entrypoint: str) -> None:
    layers = []
    for number, folder in enumerate(folders.split(",")):
        path = f"{out}.layer{number}"
        layers.append((write_layer(path, folder), path))
    machine = platform.machine()
    config = {
        "architecture": ARCHITECTURES.get(machine, machine),
        "os": "linux",
        "created": "1970-01-01T00:00:00Z",
        "config": {"Entrypoint": entrypoint, "Env": ["PATH=/opt/java/bin:/usr/bin:/bin"]},
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{digest}" for digest, _ in layers]},
    }
    config_bytes = json.dumps(config).encode()
    image_id = hashlib.sha256(config_bytes).hexdigest()
    manifest = [
        {"Config": f"{image_id}.json", "RepoTags": [name], "Layers": [f"{digest}/layer.tar" for digest, _ in layers]}
    ]
    manifest_bytes = json.dumps(manifest).encode()
    with tarfile.open(out, "w") as image:
        add(image, f"{image_id}.json", len(config_bytes), io.BytesIO(config_bytes))
        for digest, path in layers:
            with open(path, "rb") as layer:
                add(image, f"{digest}/layer.tar", os.path.getsize(path), layer)
            os.remove(path)
        add(image, "manifest.json", len(manifest_bytes), io.BytesIO(manifest_bytes))
    print(f"{name} is in {out} (sha256:{image_id})")


if __name__ == "__main__":
    main(*sys.argv[1:])
