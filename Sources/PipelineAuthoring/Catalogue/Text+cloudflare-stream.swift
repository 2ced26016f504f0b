// Generated from Pipelines/catalogue/cloudflare-stream.yaml by `make generated`.
extension PipelineTemplate {
  static let cloudflareStreamText = ##"""
    # Cloudflare Stream (https://developers.cloudflare.com/stream/uploading-videos/resumable-uploads and …/direct-creator-uploads): tus 1.0,
    # with an upload URL that needs no token, the video's ID in a header of its own, and rules for chunks.
    #
    #   pipeline run cloudflare-stream.yaml --input account=ID --input token=@TOKEN --input files='Videos/*'
    pipeline: cloudflare-stream
    description: Uploads videos to Cloudflare Stream with tus, goes on inside a video, and waits until it can be watched.

    inputs:
      server: { type: url, default: "https://api.cloudflare.com/client/v4", description: Root of the API. }
      account: { type: string, description: ID of the account. }
      token: { type: secret, description: "API token with the permission Stream: Edit." }
      files: { type: files, description: The videos. }
      max_duration: { type: int, default: 3600, description: "The longest that a video may be, in seconds. So much storage is reserved until it has arrived." }
      chunk_size: { type: size, default: 50 MiB, description: "5 to 200 MiB, a multiple of 256 KiB." }

    retry:
      standard: { attempts: 6, backoff: { initial: 1s, max: 1m } }

    defaults:
      url: ${{ inputs.server }}/accounts/${{ urlEscape(inputs.account) }}
      bearer: ${{ inputs.token }}

    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 4
        steps:
          # A creation whose response is lost holds its reservation until it expires.
          - id: create
            let: { metadata: '${{ {"name": file.name, "maxDurationSeconds": string(inputs.max_duration), "expiry": string(now + duration("6h"))} }}' }
            request:
              method: POST
              url: /stream?direct_user=true
              headers:
                Tus-Resumable: 1.0.0
                Upload-Length: ${{ string(file.size) }}
                Upload-Metadata: '${{ metadata.map(key, key + " " + base64.encode(bytes(metadata[key]))).join(",") }}'
              example: { status: 201, headers: { Location: "https://up.test/${{ item.index }}/${{ request.number }}", stream-media-id: "v${{ item.index }}-${{ request.number }}" } }
            effect: repeatable
            outputs:
              # Anyone who has it may write there. Six hours are the most.
              url: { value: "${{ resolve(inputs.server, response.headers.location) }}", secret: sealed, expires: { in: 6h, skew: 1m } }
              id: ${{ response.headers["stream-media-id"] }}

          - id: sent
            repeat:
              from: { offset: 0 }
              until: ${{ steps.sent.offset == file.size }}
              resync:
                request: { method: HEAD, url: "${{ steps.create.url }}", headers: { Tus-Resumable: 1.0.0 } }
                next: { offset: "${{ int(response.headers['upload-offset']) }}" }
              steps:
                - id: send
                  upload:
                    method: PATCH
                    url: ${{ steps.create.url }}
                    headers:
                      Tus-Resumable: 1.0.0
                      Upload-Offset: ${{ string(steps.sent.offset) }}
                      Content-Type: application/offset+octet-stream
                    file: ${{ file }}
                    range:
                      offset: ${{ steps.sent.offset }}
                      length: ${{ math.least(inputs.chunk_size / (256 * KiB) * 256 * KiB, file.size - steps.sent.offset) }}
                  effect: repeatable
                  on:
                    - { if: "${{ response.status in [409, 423] }}", then: resync }
                    - { if: "${{ response.status in [401, 403, 404, 410] }}", expired: create }
                  outputs: { offset: "${{ int(response.headers['upload-offset']) }}" }
              next: { offset: "${{ steps.send.offset }}" }
            on:
              - { if: "${{ response.status == 423 }}", then: retry }
              - { if: "${{ response.status in [401, 403, 404, 410] }}", expired: create }

          - id: ready
            poll:
              url: /stream/${{ steps.create.id }}
              until: ${{ response.json.result.readyToStream }}
              every: 15s
              deadline: 1d
              example: { json: { result: { readyToStream: true, status: { state: ready } } } }
            depends_on: [sent]
            on:
              - { if: "${{ response.status == 404 }}", expired: create }
              - { if: "${{ response.json.result.status.state == 'error' }}", then: fail, message: "${{ response.json.result.status.errorReasonText }}" }
        on_abandon:
          - request: { method: DELETE, url: "/stream/${{ steps.create.id }}" }

    """##
}
