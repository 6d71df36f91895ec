# An image with one program, which needs nothing else. It is built from what scripts/release-archive leaves:
#
#     scripts/release-archive
#     docker build -t laban .
#     docker run --rm -v "$PWD:/work" laban check shop.net
FROM scratch
ARG TARGETARCH=amd64
COPY LICENSE-MIT LICENSE-APACHE /
COPY target/dist/image/${TARGETARCH}/laban /laban
WORKDIR /work
ENTRYPOINT ["/laban"]
