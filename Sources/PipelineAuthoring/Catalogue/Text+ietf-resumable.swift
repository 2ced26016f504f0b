// Generated from Pipelines/catalogue/ietf-resumable.yaml by `make generated`.
extension PipelineTemplate {
  static let ietfResumableText = ##"""
    # Resumable Uploads for HTTP (https://datatracker.ietf.org/doc/draft-ietf-httpbis-resumable-upload/): an empty request makes an upload
    # resource, pieces are appended to it, and the last one completes it. A file that was cut goes on where the server says.
    #
    #   pipeline run ietf-resumable.yaml --input server=https://example.com/files --input files='Videos/*'
    #
    # A server may also tell of the resource in an informational response (104). It would not help here, where nothing is sent before the
    # resource is known: an empty creation is the draft's way for clients that do not see it (section "Upload Creation").
    pipeline: ietf-resumable
    description: Uploads files in pieces as the IETF's draft for resumable uploads says, and goes on inside a file.

    inputs:
      server: { type: url, description: Where files are posted. }
      token: { type: secret, required: false, description: Token for the server. }
      files: { type: files, description: "The files to upload; each is sent under its name." }
      chunk_size: { type: size, default: 32 MiB, description: "The most bytes that one request sends; the server's limits go first." }

    retry: { standard: { attempts: 6, backoff: { initial: 1s, max: 1m } } }

    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 4
        steps:
          # A resource whose response is lost holds nothing, and its lifetime ends.
          - id: create
            let: { limits: '${{ fields(header(response.headers, "upload-limit").orValue("")) }}' }
            request:
              method: POST
              url: ${{ inputs.server }}
              bearer: ${{ inputs.token }}
              headers:
                Upload-Draft-Interop-Version: "8"
                Upload-Complete: "?0"
                Upload-Length: ${{ string(file.size) }}
                Content-Type: ${{ file.content_type }}
                Content-Disposition: inline; filename*=UTF-8''${{ urlEscape(file.name) }}
              example: { status: 201, headers: { Location: "/uploads/${{ request.number }}", Upload-Limit: "max-age=86400" } }
            effect: repeatable
            on: [{ if: "${{ response.status == 413 }}", then: fail, message: "the server takes no file of this size" }]
            outputs:
              # Location may be relative. Without max-age, the server says nothing of the end.
              url:
                value: ${{ resolve(inputs.server, response.headers.location) }}
                expires: { in: '${{ seconds(limits[?"max-age"].orValue(3153600000)) }}', skew: 60s }
              least: '${{ int(limits[?"min-append-size"].orValue(1)) }}'
              most: '${{ int(limits[?"max-append-size"].orValue(8 * TiB)) }}'

          - id: sent
            repeat:
              # The offset may be the length, and the upload still not complete: only a request that says so completes it.
              from:
                offset: 0
                is_complete: false
                size: ${{ math.least(math.greatest(inputs.chunk_size, steps.create.least), steps.create.most) }}
              until: ${{ steps.sent.is_complete }}
              resync:
                request:
                  method: HEAD
                  url: ${{ steps.create.url }}
                  bearer: ${{ inputs.token }} # pipeline: ignore[foreign-credential] the upload is on the same server
                  headers: &draft { Upload-Draft-Interop-Version: "8" }
                  example: { status: 204, headers: { Upload-Offset: "${{ steps.sent.offset }}", Upload-Complete: "${{ steps.sent.is_complete ? '?1' : '?0' }}" } }
                next:
                  offset: ${{ int(response.headers["upload-offset"]) }}
                  is_complete: ${{ response.headers["upload-complete"] == "?1" }}
              steps:
                - id: send
                  let: { end: "${{ math.least(steps.sent.offset + steps.sent.size, file.size) }}" }
                  upload:
                    method: PATCH
                    url: ${{ steps.create.url }}
                    bearer: ${{ inputs.token }} # pipeline: ignore[foreign-credential] the same
                    headers:
                      Upload-Draft-Interop-Version: "8"
                      Content-Type: application/partial-upload
                      Upload-Offset: ${{ string(steps.sent.offset) }}
                      Upload-Complete: '${{ end == file.size ? "?1" : "?0" }}'
                    file: ${{ file }}
                    range: { offset: "${{ steps.sent.offset }}", length: "${{ end - steps.sent.offset }}" }
                  effect: repeatable
                  on:
                    # The upload is complete, and the resource that it is for does not like it: to resume would not help.
                    - { if: "${{ response.status >= 400 && header(response.headers, 'upload-complete').orValue('') == '?1' }}", then: fail }
                    # Too much for the server, or for a proxy before it: the next pieces are half as large.
                    - { if: "${{ response.status == 413 && steps.sent.size > steps.create.least }}", then: success }
                    # Another offset than the server's.
                    - { if: "${{ response.status == 409 }}", then: resync }
                    - { if: "${{ response.status in [404, 410] }}", expired: create }
                    - { if: "${{ response.status == 507 }}", then: pause, message: "the server has no space left; make some, then `pipeline retry`" }
                  outputs:
                    offset: "${{ response.status == 413 ? steps.sent.offset : end }}"
                    is_complete: "${{ response.status != 413 && end == file.size }}"
                    size: "${{ response.status == 413 ? math.greatest(steps.sent.size / 2, steps.create.least) : steps.sent.size }}"
              next: { offset: "${{ steps.send.offset }}", is_complete: "${{ steps.send.is_complete }}", size: "${{ steps.send.size }}" }
            on: [{ if: "${{ response.status in [404, 410] }}", expired: create }]
        on_abandon:
          - request: { method: DELETE, url: "${{ steps.create.url }}", bearer: "${{ inputs.token }}", headers: *draft } # pipeline: ignore[foreign-credential] the same

    """##
}
