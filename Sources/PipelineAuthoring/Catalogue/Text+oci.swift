// Generated from Pipelines/catalogue/oci.yaml by `make generated`.
extension PipelineTemplate {
  static let ociText = ##"""
    # OCI distribution 1.1 (https://github.com/opencontainers/distribution-spec): files become blobs of a registry, sent in chunks. Every
    # response has the URL for the next request.
    # Proven against docker-registry 2.8.
    #
    #   pipeline run oci.yaml --input server=https://registry.example.com --input repository=team/films --input files='Videos/*'
    pipeline: oci
    description: Uploads files to an OCI registry as blobs, in chunks, and skips those that it has.

    inputs:
      server: { type: url, description: "Root of the registry, without /v2." }
      repository: { type: string, description: "The repository, such as team/films." }
      files: { type: files, description: "The files to upload; each becomes a blob, named by its digest." }
      chunk_size: { type: size, default: 32 MiB, description: The most bytes that one request sends. }

    retry:
      standard: { attempts: 6, backoff: { initial: 1s, max: 1m } }

    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 4
        steps:
          - id: sum
            digest: { file: "${{ file }}", take: [sha256] }

          # A blob that is there is not sent. This also says the outcome of an upload that the registry no longer knows.
          - id: look
            request:
              method: HEAD
              url: ${{ inputs.server }}/v2/${{ inputs.repository }}/blobs/sha256:${{ steps.sum.sha256.hex }}
            on:
              - { if: "${{ response.status == 200 }}", then: finish_item }
              # A refusal has no body here: `open` has the reason.
              - { if: "${{ response.status in [401, 403, 404] }}", then: success }

          # An upload whose response is lost holds nothing, and the registry removes it some day.
          - id: open
            request: { method: POST, url: "${{ inputs.server }}/v2/${{ inputs.repository }}/blobs/uploads/" }
            depends_on: [look]
            on: [{ if: "${{ response.status == 202 }}", then: success }]
            effect: repeatable
            outputs:
              url: ${{ resolve(inputs.server, response.headers.location) }}
              least: ${{ int(header(response.headers, "oci-chunk-min-length").orValue("1")) }}

          - id: sent
            repeat:
              from: { offset: 0, url: "${{ steps.open.url }}" }
              until: ${{ steps.sent.offset >= file.size }}
              resync:
                request:
                  url: ${{ steps.sent.url }}
                  example: { status: 204, headers: { Location: "${{ steps.sent.url }}", Range: "0-${{ math.greatest(steps.sent.offset, 1) - 1 }}" } }
                # `Range: 0-1048575`; `0-0` is said of an upload without a byte.
                next:
                  offset: ${{ int(capture(response.headers.range, "-([1-9][0-9]*)$").orValue("-1")) + 1 }}
                  url: ${{ resolve(inputs.server, response.headers.location) }}
              steps:
                - id: send
                  upload:
                    method: PATCH
                    url: ${{ steps.sent.url }}
                    headers:
                      Content-Type: application/octet-stream
                      Content-Range: >-
                        ${{ steps.sent.offset }}-${{ math.least(steps.sent.offset + math.greatest(inputs.chunk_size, steps.open.least), file.size) - 1 }}
                    file: ${{ file }}
                    range:
                      offset: ${{ steps.sent.offset }}
                      length: ${{ math.least(math.greatest(inputs.chunk_size, steps.open.least), file.size - steps.sent.offset) }}
                    example: { status: 202, headers: { Location: "/v2/up?${{ request.number }}", Range: "0-${{ steps.sent.offset + request.size - 1 }}" } }
                  on:
                    - { if: "${{ response.status == 202 }}", then: success }
                    - { if: "${{ response.status == 416 }}", then: resync }
                    - { if: "${{ response.status == 404 }}", expired: look }
                  effect: repeatable
                  outputs:
                    # Here `0-0` is one byte.
                    offset: ${{ int(capture(response.headers.range, "-([0-9]+)$").value()) + 1 }}
                    url: ${{ resolve(inputs.server, response.headers.location) }}
              next: { offset: "${{ steps.send.offset }}", url: "${{ steps.send.url }}" }
            on:
              - { if: "${{ response.status == 404 }}", expired: look }

          # The upload ends with this: a second time it is not known, and `look` finds the blob.
          - id: close
            request:
              method: PUT
              url: ${{ steps.sent.url }}
              query: { digest: "sha256:${{ steps.sum.sha256.hex }}" }
            on:
              - { if: "${{ response.status == 201 }}", then: success }
              # Gone, or other bytes than those of the file.
              - { if: "${{ response.status == 404 || response.text.contains('DIGEST_INVALID') }}", expired: look }
        on_abandon:
          - request: { method: DELETE, url: "${{ steps.open.url }}" }

    """##
}
