// Generated from Pipelines/catalogue/b2.yaml by `make generated`.
extension PipelineTemplate {
  static let b2Text = ##"""
    # Backblaze B2, native API, small files (https://www.backblaze.com/docs/cloud-storage-upload-files-with-the-native-api): each upload in
    # flight has a URL and a token of its own, which live for 24 hours or until the server rejects one. b2-large.yaml sends large files.
    #
    #   pipeline run b2.yaml --input key_id=ID --input key=@KEYFILE --input bucket_id=ID --input files='Pictures/*'
    pipeline: b2
    description: Uploads files to a bucket of Backblaze B2, asks for a new URL when one is rejected, and skips files that are there.

    inputs:
      server: { type: url, default: "https://api.backblazeb2.com", description: Where accounts are authorized. }
      key_id: { type: string, description: ID of the application key. }
      key: { type: secret, description: The application key. }
      bucket_id: { type: string, description: "ID of the bucket, not its name." }
      files: { type: files, description: "The files to upload; each is sent under its path below the folder of the glob." }

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
        outputs: { token: { value: "${{ response.json.authorizationToken }}", secret: true, expires: { in: 24h, skew: 10m } } }

      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 8
        steps:
          - id: sum
            digest: { file: "${{ file }}", take: [sha1] }

          # A second upload would be a second version of the file.
          - id: look
            request: &list
              url: ${{ steps.place.api }}/b2api/v3/b2_list_file_names
              query: { bucketId: "${{ inputs.bucket_id }}", startFileName: "${{ file.relative }}", prefix: "${{ file.relative }}", maxFileCount: "1" }
              credentials: account
            on:
              - { if: "${{ response.status == 200 && response.json.files.exists(f, f.fileName == file.relative && f.contentSha1 == steps.sum.sha1.hex) }}", then: finish_item }
              - { if: "${{ response.status == 200 }}", then: success }

          - id: ask
            request:
              url: ${{ steps.place.api }}/b2api/v3/b2_get_upload_url
              query: { bucketId: "${{ inputs.bucket_id }}" }
              credentials: account
            depends_on: [look]
            outputs:
              url: { value: "${{ response.json.uploadUrl }}", secret: true, expires: { in: 24h, skew: 10m } }
              token: { value: "${{ response.json.authorizationToken }}", secret: true, expires: { in: 24h, skew: 10m } }

          - id: send
            upload:
              method: POST
              url: ${{ steps.ask.url }}
              headers:
                Authorization: ${{ steps.ask.token }}
                X-Bz-File-Name: ${{ urlEscapePath(file.relative) }}
                X-Bz-Content-Sha1: ${{ steps.sum.sha1.hex }}
                X-Bz-Info-src_last_modified_millis: ${{ string(int(file.modified) * 1000) }}
                Content-Type: b2/x-auto
              file: ${{ file }}
            effect: create
            probe:
              request: *list
              took_effect: ${{ response.json.files.exists(f, f.fileName == file.relative && f.contentSha1 == steps.sum.sha1.hex) }}
              example:
                took_effect: { json: { files: [{ fileName: "${{ file.relative }}", contentSha1: "${{ steps.sum.sha1.hex }}" }] } }
                no_effect: { json: { files: [] } }
            on:
              # The URL cannot be used any more: it has expired, or its server is full, busy or down. The probe says whether the file is there.
              - { if: "${{ response.status in [401, 408, 429] || response.status >= 500 }}", expired: ask }
              - { if: "${{ response.text.contains('cap_exceeded') }}", then: pause, message: "a cap of the account is reached; raise it, then `pipeline retry`" }

    """##
}
