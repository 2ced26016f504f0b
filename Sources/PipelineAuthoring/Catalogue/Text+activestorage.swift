// Generated from Pipelines/catalogue/activestorage.yaml by `make generated`.
extension PipelineTemplate {
  static let activestorageText = ##"""
    # Rails Active Storage, direct uploads (https://guides.rubyonrails.org/active_storage_overview.html#direct-uploads): the application
    # makes a blob and says where its bytes go, with the headers that were signed; its signed ID is then attached to a record.
    #
    #   pipeline run activestorage.yaml --input server=https://app.example.com --input attach=https://app.example.com/photos --input files='Pictures/*'
    #
    # Attaching is your application's own request: here it posts `signed_id`, and tells repeats apart by the header Idempotency-Key.
    # A page posts with a cookie and a CSRF token instead of a bearer token; for that, send both in `defaults.headers`.
    pipeline: activestorage
    description: Uploads files to a Rails application with Active Storage, and attaches them.

    inputs:
      server: { type: url, description: "Root of the application, without a slash at the end." }
      attach: { type: url, description: "Where the application takes a signed_id." }
      token: { type: secret, required: false, description: Token for the application. }
      files: { type: files, description: The files to upload. }

    retry: { standard: { attempts: 6, backoff: { initial: 1s, max: 1m } } }

    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 4
        steps:
          # The application wants the MD5 before the file, and the store checks it.
          - id: sum
            digest: { file: "${{ file }}", take: [md5] }

          # A blob that is never attached is purged by the application (`ActiveStorage::Blob.unattached`).
          - id: create
            request:
              method: POST
              url: ${{ inputs.server }}/rails/active_storage/direct_uploads
              bearer: ${{ inputs.token }}
              json: { blob: { filename: "${{ file.name }}", byte_size: "${{ file.size }}", checksum: "${{ steps.sum.md5.base64 }}", content_type: "${{ file.content_type }}" } }
              example: { json: { signed_id: "signed-${{ request.number }}", direct_upload: { url: "https://store.test/${{ request.number }}", headers: { Content-MD5: "${{ steps.sum.md5.base64 }}" } } } }
            effect: repeatable
            outputs:
              # It outlives the URL, which has 5 minutes unless the application says otherwise (`service_urls_expire_in`).
              signed_id: { value: "${{ response.json.signed_id }}", secret: sealed }
              url: { value: "${{ response.json.direct_upload.url }}", secret: true, expires: { in: 5m, skew: 10s } }
              headers: { value: "${{ response.json.direct_upload.headers }}", secret: true }

          # No token goes to the store. What was signed must be sent exactly so.
          - id: put
            upload:
              url: ${{ steps.create.url }}
              headers: ${{ steps.create.headers }}
              file: ${{ file }}
            on:
              # A signed URL has expired, as S3, Google and Azure say it, or (404) as Rails' own disk service does.
              - { if: "${{ response.status == 404 || response.status in [400, 403] && response.text.matches('(?i)expired|time frame') }}", expired: create }
              # 422 and BadDigest: the file has changed since its digest was taken.
              - { if: "${{ response.status == 422 || response.text.contains('BadDigest') }}", then: fail, message: "the file has changed while it was sent" }

          - id: attach
            request:
              method: POST
              url: ${{ inputs.attach }}
              bearer: ${{ inputs.token }}
              json: { signed_id: "${{ steps.create.signed_id }}" }
            depends_on: [put]
            effect: create
            idempotency: { header: Idempotency-Key, key: "attach-${{ item.key }}" }
            # The blob was purged meanwhile: its ID means nothing any more.
            on: [{ if: "${{ response.status == 404 }}", expired: create, refused: true }]

    """##
}
