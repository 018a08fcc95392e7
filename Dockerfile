# lexls for a container: without root, without a compiler, everything with the hashes of supply/.
FROM python:3.13-slim AS build
WORKDIR /source
COPY supply/*requirements.txt supply/
RUN python -m venv /opt/build \
    && /opt/build/bin/pip install --no-cache-dir --require-hashes -r supply/build-requirements.txt \
    && python -m venv --without-pip /opt/lexls \
    && /opt/build/bin/pip --python /opt/lexls install --no-cache-dir --only-binary=:all: --require-hashes \
    -r supply/requirements.txt -r supply/extras-requirements.txt
COPY pyproject.toml README.md LICENSE CHANGELOG.md ./
COPY lexls lexls
RUN /opt/build/bin/hatchling build -t wheel -d /wheels \
    && /opt/build/bin/pip --python /opt/lexls install --no-cache-dir --no-deps --no-index /wheels/*.whl

FROM python:3.13-slim
COPY --from=build /opt/lexls /opt/lexls
RUN install -d -o 10001 -g 10001 -m 700 /state
# The index, models and threads; the matter, with lexls.toml and a library, is mounted where work is done.
ENV PATH=/opt/lexls/bin:$PATH XDG_DATA_HOME=/state/data XDG_CACHE_HOME=/state/cache XDG_CONFIG_HOME=/state/config
VOLUME /state
WORKDIR /matter
USER 10001:10001
ENTRYPOINT ["lexls"]
CMD ["--help"]
