// Generated from Pipelines/catalogue/s3-presigned.yaml by `make generated`.
extension PipelineTemplate {
  static let s3PresignedText = ##"""
    # S3 through presigned URLs (https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-presigned-url.html): your application signs a
    # URL for each file, and the file goes straight to the bucket. A URL lives for at most 7 days, and never longer than the session that
    # signed it. One PUT takes at most 5 GB (…/userguide/upload-objects.html); s3-presigned-parts.yaml sends larger files.
    # Proven against rclone 1.75, moto 5.2 and radosgw 16.2, read back by boto3.
    #
    #   pipeline run s3-presigned.yaml --input server=https://app.example.com/uploads --input token=@TOKEN --input files='Pictures/*'
    #
    # The application answers `POST server` with a `url`, and perhaps with `headers` that are part of its signature.
    pipeline: s3-presigned
    description: Uploads files to a bucket through URLs that an application presigns, and asks for a new URL when one has expired.

    inputs:
      server: { type: url, description: "Where the application gives out URLs." }
      token: { type: secret, required: false, description: Token for the application. }
      files: { type: files, description: The files to upload. }

    retry:
      standard: { attempts: 6, backoff: { initial: 1s, max: 1m } }

    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 4
        steps:
          # A URL that no one uses leaves nothing behind, so it may be asked for again.
          - id: ask
            request:
              method: POST
              url: ${{ inputs.server }}
              bearer: ${{ inputs.token }}
              json: { name: "${{ file.name }}", size: "${{ file.size }}", type: "${{ file.content_type }}" }
              example: { json: { url: "https://bucket.test/k?Expires=${{ string(int(now) + 900) }}" } }
            effect: repeatable
            outputs:
              # Anyone who has the URL may write there until it expires. It says itself when that is.
              url: { value: "${{ response.json.url }}", secret: true, expires: { url: "${{ response.json.url }}" } }
              headers: { value: "${{ response.json.?headers.orValue({}) }}", secret: true }

          # No token goes to the bucket. A repeat overwrites the object with the same bytes.
          - id: put
            upload:
              url: ${{ steps.ask.url }}
              # What was signed must be sent exactly so.
              headers: ${{ steps.ask.headers }}
              file: ${{ file }}
            on:
              # 403 AccessDenied 'Request has expired' (400 on some servers), or the session that signed it has ended.
              - { if: "${{ response.status in [400, 403] && response.text.matches('expired|ExpiredToken') }}", expired: ask }
              # An object of 5 GiB or more, or other headers than those that were signed: a new URL does not help.
              - { if: "${{ response.status in [400, 403] }}", then: fail, message: "${{ capture(response.text, '<Message>([^<]+)').orValue(capture(response.text, '<Code>([^<]+)').orValue('the bucket refuses the file')) }}" }

    """##
}
