// Generated from Pipelines/catalogue/oci-image.yaml by `make generated`.
extension PipelineTemplate {
  static let ociImageText = ##"""
    # OCI distribution 1.1 (https://github.com/opencontainers/distribution-spec, and image-spec/manifest.md, "Guidelines for Artifact
    # Usage"): files become the layers of one artifact, which a tag names. oci.yaml pushes files as blobs alone.
    # Proven against docker-registry 2.8, read back by its tag.
    #
    #   pipeline run oci-image.yaml --input server=https://registry.example.com --input repository=team/films --input tag=v1 --input files='Videos/*'
    pipeline: oci-image
    description: Pushes files to an OCI registry as the layers of an artifact with a tag, in chunks, and skips those that it has.

    inputs:
      server: { type: url, description: "Root of the registry, without /v2." }
      repository: { type: string, description: "The repository, such as team/films." }
      tag: { type: string, default: latest, description: The tag of the artifact. }
      artifact_type: { type: string, default: application/vnd.unknown.artifact.v1, description: Media type of the artifact. }
      files: { type: files, description: "The files, in the order of the layers." }
      chunk_size: { type: size, default: 32 MiB, description: The most bytes that one request sends. }

    retry: { standard: { attempts: 6, backoff: { initial: 1s, max: 1m } } }

    defaults: { url: "${{ inputs.server }}/v2/${{ inputs.repository }}" }

    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 4
        steps:
          - id: sum
            digest: { file: "${{ file }}", take: [sha256] }

          # A blob that is there is not sent. This also says the outcome of an upload that the registry no longer knows.
          - id: look
            request: { method: HEAD, url: "/blobs/sha256:${{ steps.sum.sha256.hex }}" }
            on: [{ if: "${{ response.status == 200 }}", then: finish_item }, { if: "${{ response.status in [401, 403, 404] }}", then: success }]

          # An upload whose response is lost holds nothing, and the registry removes it some day.
          - id: open
            request: { method: POST, url: /blobs/uploads/ }
            depends_on: [look]
            effect: repeatable
            on: [{ if: "${{ response.status == 202 }}", then: success }]
            outputs:
              url: ${{ resolve(inputs.server, response.headers.location) }}
              size: ${{ math.greatest(inputs.chunk_size, int(header(response.headers, "oci-chunk-min-length").orValue("1"))) }}

          - id: sent
            repeat:
              from: { offset: 0, url: "${{ steps.open.url }}" }
              until: ${{ steps.sent.offset >= file.size }}
              resync:
                request:
                  url: ${{ steps.sent.url }}
                  example: { status: 204, headers: { Location: "${{ steps.sent.url }}", Range: "0-${{ math.greatest(steps.sent.offset, 1) - 1 }}" } }
                # `Range: 0-1048575`; `0-0` is said of an upload without a byte.
                next: { offset: '${{ int(capture(response.headers.range, "-([1-9][0-9]*)$").orValue("-1")) + 1 }}', url: "${{ resolve(inputs.server, response.headers.location) }}" }
              steps:
                - id: send
                  let: { end: "${{ math.least(steps.sent.offset + steps.open.size, file.size) }}" }
                  upload:
                    method: PATCH
                    url: ${{ steps.sent.url }}
                    headers: { Content-Type: application/octet-stream, Content-Range: "${{ steps.sent.offset }}-${{ end - 1 }}" }
                    file: ${{ file }}
                    range: { offset: "${{ steps.sent.offset }}", length: "${{ end - steps.sent.offset }}" }
                    example: { status: 202, headers: { Location: "/v2/up?${{ request.number }}", Range: "0-${{ steps.sent.offset + request.size - 1 }}" } }
                  effect: repeatable
                  on: [{ if: "${{ response.status == 202 }}", then: success }, { if: "${{ response.status == 416 }}", then: resync }, { if: "${{ response.status == 404 }}", expired: look }]
                  outputs: { offset: '${{ int(capture(response.headers.range, "-([0-9]+)$").value()) + 1 }}', url: "${{ resolve(inputs.server, response.headers.location) }}" }
              next: { offset: "${{ steps.send.offset }}", url: "${{ steps.send.url }}" }
            on: [{ if: "${{ response.status == 404 }}", expired: look }]

          - id: close
            request: { method: PUT, url: "${{ steps.sent.url }}", query: { digest: "sha256:${{ steps.sum.sha256.hex }}" } }
            # Gone, or other bytes than those of the file.
            on: [{ if: "${{ response.status == 201 }}", then: success }, { if: "${{ response.status == 404 || response.text.contains('DIGEST_INVALID') }}", expired: look }]
        on_abandon:
          - request: { method: DELETE, url: "${{ steps.open.url }}" }

      # When all blobs are there. Each file is read once more for its digest.
      - for_each: name
        in: ${{ [inputs.tag] }}
        steps:
          - id: layers
            for_each: file
            in: ${{ inputs.files }}
            steps: [{ id: layer_sum, digest: { file: "${{ file }}", take: [sha256] } }]
            collect: { list: '${{ {"mediaType": "application/octet-stream", "digest": "sha256:" + steps.layer_sum.sha256.hex, "size": file.size, "annotations": {"org.opencontainers.image.title": file.relative}} }}' }
          # An artifact without a configuration has the empty one, `{}`.
          - id: config
            request: { method: POST, url: /blobs/uploads/ }
            effect: repeatable
            on: [{ if: "${{ response.status == 202 }}", then: success }]
            outputs: { url: "${{ resolve(inputs.server, response.headers.location) }}" }
          - id: put_config
            request: { method: PUT, url: "${{ steps.config.url }}", query: { digest: "sha256:${{ hex(sha256('{}')) }}" }, headers: { Content-Type: application/octet-stream }, text: "{}" }
            on: [{ if: "${{ response.status == 201 }}", then: success }, { if: "${{ response.status == 404 }}", expired: config }]
          - id: manifest
            request:
              method: PUT
              url: /manifests/${{ name }}
              headers: { Content-Type: application/vnd.oci.image.manifest.v1+json }
              json:
                schemaVersion: 2
                mediaType: application/vnd.oci.image.manifest.v1+json
                artifactType: ${{ inputs.artifact_type }}
                config: { mediaType: application/vnd.oci.empty.v1+json, digest: "sha256:${{ hex(sha256('{}')) }}", size: 2 }
                layers: ${{ steps.layers.list }}
            depends_on: [put_config]
            on: [{ if: "${{ response.status == 201 }}", then: success }]

    """##
}
