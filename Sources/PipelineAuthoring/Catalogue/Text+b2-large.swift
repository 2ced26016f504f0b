// Generated from Pipelines/catalogue/b2-large.yaml by `make generated`.
extension PipelineTemplate {
  static let b2LargeText = ##"""
    # Backblaze B2, native API, large files (https://www.backblaze.com/docs/cloud-storage-large-files): parts with a SHA-1 each, several at
    # once, are put together by the server. Each part in flight has a URL and a token of its own, until the server rejects one.
    #
    #   pipeline run b2-large.yaml --input key_id=ID --input key=@KEYFILE --input bucket_id=ID --input files='Videos/*'
    #
    # A large file has two parts or more, of at least 5 MB (`absoluteMinimumPartSize` of b2_authorize_account) but for the last. Files of one
    # part are left out: b2.yaml sends them.
    pipeline: b2-large
    description: Uploads large files to a bucket of Backblaze B2 in parallel parts, and goes on inside a file.

    inputs:
      server: { type: url, default: "https://api.backblazeb2.com", description: Where accounts are authorized. }
      key_id: { type: string, description: ID of the application key. }
      key: { type: secret, description: The application key. }
      bucket_id: { type: string, description: "ID of the bucket, not its name." }
      files: { type: files, description: "The files to upload; each is sent under its name." }
      part_size: { type: size, default: 100 MB, description: "At least 5 MB. Parts grow so that there are at most 10,000." }

    retry: { standard: { attempts: 6, backoff: { initial: 1s, max: 1m } } }

    credentials:
      # pipeline: ignore[foreign-credential] the same response names the host that takes the token
      account: { header: { Authorization: "${{ steps.account.token }}" } }

    steps:
      # Asked twice, for where the account lives and for a token: a new token then leaves alone what was made from the first.
      - id: place
        request: &authorize { url: "${{ inputs.server }}/b2api/v3/b2_authorize_account", basic: { user: "${{ inputs.key_id }}", password: "${{ inputs.key }}" } }
        outputs: { api: "${{ response.json.apiInfo.storageApi.apiUrl }}" }
      - id: account
        request: *authorize
        outputs:
          token: { value: "${{ response.json.authorizationToken }}", secret: true, expires: { in: 24h, skew: 10m } }

      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 2
        steps:
          - id: sum
            digest: { file: "${{ file }}", take: [sha1] }

          # A file that ended with its last part, or was cancelled, is not known as unfinished: its name says which.
          - id: look
            request:
              url: ${{ steps.place.api }}/b2api/v3/b2_list_file_names
              query: { bucketId: "${{ inputs.bucket_id }}", startFileName: "${{ file.relative }}", prefix: "${{ file.relative }}", maxFileCount: "1" }
              credentials: account
              example: { json: { files: [] } }
            on:
              - { if: "${{ file.size <= inputs.part_size }}", then: skip_item, message: "it has one part: b2.yaml sends it" }
              - { if: "${{ response.status == 200 && response.json.files.exists(f, f.fileName == file.relative && f.fileInfo.?large_file_sha1.orValue('') == steps.sum.sha1.hex) }}", then: finish_item }
              - { if: "${{ response.status == 200 }}", then: success }

          - id: start
            request:
              method: POST
              url: ${{ steps.place.api }}/b2api/v3/b2_start_large_file
              credentials: account
              json: { bucketId: "${{ inputs.bucket_id }}", fileName: "${{ file.relative }}", contentType: b2/x-auto, fileInfo: { large_file_sha1: "${{ steps.sum.sha1.hex }}", item: "${{ item.key }}" } }
              example: { json: { fileId: "f${{ request.number }}" } }
            depends_on: [look]
            effect: create
            # Unfinished files are listed with what they were started with.
            probe:
              request: { url: "${{ steps.place.api }}/b2api/v3/b2_list_unfinished_large_files", query: { bucketId: "${{ inputs.bucket_id }}", namePrefix: "${{ file.relative }}" }, credentials: account }
              took_effect: ${{ response.json.files.exists(f, f.fileInfo.?item.orValue("") == item.key) }}
              example: { took_effect: { json: { files: [{ fileId: "f${{ request.number }}", fileInfo: { item: "${{ item.key }}" } }] } }, no_effect: { json: { files: [] } } }
            outputs: { id: '${{ has(response.json.files) ? response.json.files.filter(f, f.fileInfo.?item.orValue("") == item.key)[0].fileId : response.json.fileId }}' }

          - id: parts
            for_each: part
            in: '${{ parts(file.size, {"size": inputs.part_size, "min": 5 * MB, "max_count": 10000}) }}'
            concurrency: 4
            steps:
              - id: part_sum
                digest: { file: "${{ file }}", range: { offset: "${{ part.offset }}", length: "${{ part.length }}" }, take: [sha1] }
              - id: ask
                request: { url: "${{ steps.place.api }}/b2api/v3/b2_get_upload_part_url", query: { fileId: "${{ steps.start.id }}" }, credentials: account }
                on: [{ if: "${{ response.status in [400, 404] }}", expired: look }]
                outputs:
                  url: { value: "${{ response.json.uploadUrl }}", secret: true, expires: { in: 24h, skew: 10m } }
                  token: { value: "${{ response.json.authorizationToken }}", secret: true, expires: { in: 24h, skew: 10m } }
              - id: send
                upload:
                  method: POST
                  url: ${{ steps.ask.url }}
                  headers: { Authorization: "${{ steps.ask.token }}", X-Bz-Part-Number: "${{ string(part.number) }}", X-Bz-Content-Sha1: "${{ steps.part_sum.sha1.hex }}" }
                  file: ${{ file }}
                  range: { offset: "${{ part.offset }}", length: "${{ part.length }}" }
                # A part that is sent again overwrites the one before.
                effect: repeatable
                on:
                  - { if: "${{ response.status in [0, 401, 408, 429] || response.status >= 500 }}", expired: ask }
                  - { if: "${{ response.text.contains('cap_exceeded') }}", then: pause, message: "a cap of the account is reached; raise it, then `pipeline retry`" }
            collect: { sums: "${{ steps.part_sum.sha1.hex }}" }

          - id: finish
            request: { method: POST, url: "${{ steps.place.api }}/b2api/v3/b2_finish_large_file", credentials: account, json: { fileId: "${{ steps.start.id }}", partSha1Array: "${{ steps.parts.sums }}" } }
            effect: create
            probe:
              request: { url: "${{ steps.place.api }}/b2api/v3/b2_get_file_info", query: { fileId: "${{ steps.start.id }}" }, credentials: account }
              took_effect: ${{ response.json.action == "upload" }}
            on: [{ if: "${{ response.status in [400, 404] }}", expired: look }]
        on_abandon:
          # To cancel a file twice is to cancel it once. B2 needs no key for that, and ignores the header.
          - request: { method: POST, url: "${{ steps.place.api }}/b2api/v3/b2_cancel_large_file", credentials: account, headers: { Idempotency-Key: "${{ steps.start.id }}" }, json: { fileId: "${{ steps.start.id }}" } }

    """##
}
