// Generated from Pipelines/catalogue/vimeo.yaml by `make generated`.
extension PipelineTemplate {
  static let vimeoText = ##"""
    # Vimeo, the tus approach (https://developer.vimeo.com/api/upload/videos): a video is made, its content goes to the link that comes with
    # it, and is transcoded.
    #
    #   pipeline run vimeo.yaml --input token=@TOKEN --input files='Videos/*'
    pipeline: vimeo
    description: Uploads videos to Vimeo with tus, goes on inside a video, and waits until it is transcoded.

    inputs:
      server: { type: url, default: "https://api.vimeo.com", description: Root of the API. }
      token: { type: secret, description: "Access token with the scopes upload, edit, delete and private." }
      files: { type: files, description: The videos. }
      chunk_size: { type: size, default: 128 MiB, description: The most bytes that one request sends. }

    retry:
      standard: { attempts: 6, backoff: { initial: 1s, max: 1m } }

    defaults:
      url: ${{ inputs.server }}
      bearer: ${{ inputs.token }}
      headers: { Accept: "application/vnd.vimeo.*+json;version=3.4" }

    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 2
        steps:
          # An empty video is visible to its owner, so a lost response is asked about: the newest videos have names and sizes.
          - id: create
            request:
              method: POST
              url: /me/videos
              query: { fields: "uri,name,upload" }
              json: { name: "${{ file.name }}", upload: { approach: tus, size: "${{ file.size }}" } }
              example: { json: &video { uri: "/videos/${{ item.index }}", name: "${{ file.name }}", upload: { status: in_progress, size: "${{ file.size }}", upload_link: "https://up.test/${{ item.index }}" } } }
            effect: create
            probe:
              request: { url: /me/videos, query: { fields: "uri,name,upload", sort: date, direction: desc, per_page: "50" } }
              took_effect: ${{ response.json.data.exists(one, one.name == file.name && one.upload.size == file.size && one.upload.status == "in_progress") }}
              example: { took_effect: { json: { data: [*video] } }, no_effect: { json: { data: [] } } }
            on:
              # 8003 and others: the quota of the week, or of all.
              - { if: "${{ response.status == 429 }}", then: retry, refused: true }
              - { if: "${{ response.status == 403 && response.text.contains('quota') }}", then: pause, message: "${{ response.json.error }}", refused: true }
            let:
              # Of the video, or of the list that the probe got.
              made: '${{ (has(response.json.data) ? response.json.data : [response.json]).filter(one, one.name == file.name && one.upload.size == file.size)[0] }}'
            outputs:
              # Such as videos/123.
              path: ${{ made.uri.substring(1) }}
              # A day, as far as is known (not verified); the empty video of a link that has ended stays in the account. Anyone who has it may write there.
              link: { value: "${{ made.upload.upload_link }}", secret: sealed, expires: { in: 1d, skew: 10m } }

          - id: sent
            repeat:
              from: { offset: 0 }
              until: ${{ steps.sent.offset == file.size }}
              resync:
                request: { method: HEAD, url: "${{ steps.create.link }}", headers: { Tus-Resumable: 1.0.0 } }
                next: { offset: "${{ int(response.headers['upload-offset']) }}" }
              steps:
                - id: send
                  upload:
                    method: PATCH
                    url: ${{ steps.create.link }}
                    headers:
                      Tus-Resumable: 1.0.0
                      Upload-Offset: ${{ string(steps.sent.offset) }}
                      Content-Type: application/offset+octet-stream
                    file: ${{ file }}
                    range: { offset: "${{ steps.sent.offset }}", length: "${{ math.least(inputs.chunk_size, file.size - steps.sent.offset) }}" }
                  effect: repeatable
                  on:
                    - { if: "${{ response.status in [409, 412, 423] }}", then: resync }
                    - { if: "${{ response.status in [403, 404, 410] }}", expired: create }
                  outputs: { offset: "${{ int(response.headers['upload-offset']) }}" }
              next: { offset: "${{ steps.send.offset }}" }
            on: [{ if: "${{ response.status in [403, 404, 410] }}", expired: create }]

          - id: transcoded
            poll:
              url: /${{ steps.create.path }}
              query: { fields: transcode.status }
              until: ${{ response.json.transcode.status == "complete" }}
              fail_when: ${{ response.json.transcode.status == "error" }}
              every: 20s
              deadline: 1d
              example: { json: { transcode: { status: complete } } }
            depends_on: [sent]
            on: [{ if: "${{ response.status == 404 }}", expired: create }]
        on_abandon:
          - request: { method: DELETE, url: "/${{ steps.create.path }}" }

    """##
}
