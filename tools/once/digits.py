"""Write data/digits.safetensors: 1,797 handwritten digits of 8 by 8 pixels, for the notebook beyond_text.

Run it by hand on a wheel of scikit-learn, which contains them (`pip download --no-deps scikit-learn`):
`python tools/once/digits.py scikit_learn-1.9.1-….whl`; then put the new size and SHA-256 into data/README.md.
"""

import gzip
import hashlib
import sys
import zipfile

import torch
from safetensors.torch import save_file

from course_utils import data

PACKED = "sklearn/datasets/data/digits.csv.gz"
KNOWN = "09f66e6debdee2cd2b5ae59e0d6abbb73fc2b0e0185d2e1957e9ebb51e23aa22"  # SHA-256 of this file


def main(wheel):
    packed = zipfile.ZipFile(wheel).read(PACKED)
    if hashlib.sha256(packed).hexdigest() != KNOWN:
        raise SystemExit(f"{PACKED} in {wheel} is another file than the one that the course was made with.")
    rows = [list(map(float, row.split(","))) for row in gzip.decompress(packed).decode("ascii").split()]
    numbers = torch.tensor(rows).to(torch.uint8)  # (1797, 65): 64 pixels from 0 to 16, then the digit itself
    target = data.DATA / "digits.safetensors"
    save_file({"pixels": numbers[:, :64].reshape(-1, 8, 8).contiguous(), "digits": numbers[:, 64].contiguous()}, target)
    print(f"{target.name}: {target.stat().st_size:,} bytes, SHA-256 {hashlib.sha256(target.read_bytes()).hexdigest()}")


if __name__ == "__main__":
    main(*sys.argv[1:])
