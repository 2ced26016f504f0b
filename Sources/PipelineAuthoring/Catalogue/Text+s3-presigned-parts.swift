// Generated from Pipelines/catalogue/s3-presigned-parts.yaml by `make generated`.
extension PipelineTemplate {
  static let s3PresignedPartsText = ##"""
    # S3 multipart uploads through presigned URLs: your application opens and completes the upload and signs a URL for each part, and the
    # parts go straight to the bucket, several at once. The application speaks the protocol of Uppy's Companion
    # (https://uppy.io/docs/aws-s3/, "createMultipartUpload" to "abortMultipartUpload"), with keys that are unique, and with one thing more:
    # asked for the parts of an upload that the bucket no longer knows, it responds with the `location` of the object if its key has one, and
    # else with 404. The bucket alone does not tell an upload that is complete from one that was aborted, or lost.
    # Proven against rclone 1.75, moto 5.2 and radosgw 16.2, read back by boto3.
    #
    #   pipeline run s3-presigned-parts.yaml --input server=https://app.example.com/s3/multipart --input files='Videos/*'
    pipeline: s3-presigned-parts
    description: Uploads files to a bucket in parts, through URLs that an application presigns, and goes on inside a file.

    inputs:
      server: { type: url, description: "Where the application opens uploads, without a slash at the end." }
      token: { type: secret, required: false, description: Token for the application. }
      files: { type: files, description: The files to upload. }
      part_size: { type: size, default: 16 MiB, description: "At least 5 MiB. Parts grow so that there are at most 10,000." }

    retry:
      standard: { attempts: 6, backoff: { initial: 1s, max: 1m } }

    defaults:
      url: ${{ inputs.server }}
      bearer: ${{ inputs.token }}

    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 4
        steps:
          # An upload whose response is lost holds nothing. A lifecycle rule (AbortIncompleteMultipartUpload) removes it.
          - id: open
            request:
              method: POST
              url: ${{ inputs.server }}
              bearer: ${{ inputs.token }}
              json: { filename: "${{ file.name }}", type: "${{ file.content_type }}" }
            effect: repeatable
            outputs:
              id: ${{ response.json.uploadId }}
              key: ${{ response.json.key }}

          - id: parts
            for_each: part
            in: '${{ parts(file.size, {"size": inputs.part_size, "min": 5 * MiB, "max_count": 10000}) }}'
            concurrency: 4
            steps:
              # Just before it is used, so that a long file does not outlive its URLs. Only this part's is asked for again.
              - id: sign
                request:
                  url: /${{ urlEscape(steps.open.id) }}/${{ string(part.number) }}
                  query: { key: "${{ steps.open.key }}" }
                  example: { json: { url: "https://bucket.test/k?Expires=${{ string(int(now) + 900) }}" } }
                on: [{ if: "${{ response.status == 404 }}", expired: open }]
                outputs:
                  url: { value: "${{ response.json.url }}", secret: true, expires: { url: "${{ response.json.url }}" } }

              - id: send
                upload:
                  url: ${{ steps.sign.url }}
                  file: ${{ file }}
                  range: { offset: "${{ part.offset }}", length: "${{ part.length }}" }
                on:
                  # The upload was aborted, or the lifecycle rule removed it: all parts are gone.
                  - { if: "${{ response.status == 404 && response.text.contains('NoSuchUpload') }}", expired: open }
                  - { if: "${{ response.status in [400, 403] && response.text.matches('expired|ExpiredToken') }}", expired: sign }
                  - { if: "${{ response.status in [400, 403] }}", then: fail, message: "${{ capture(response.text, '<Message>([^<]+)').orValue(capture(response.text, '<Code>([^<]+)').orValue('the bucket refuses the part')) }}" }
                # A browser sees it only if the bucket's CORS rules expose it; this program always does.
                outputs: { etag: "${{ response.headers.etag }}" }
            collect: { list: '${{ {"PartNumber": part.number, "ETag": steps.send.etag} }}' }

          - id: complete
            request:
              method: POST
              url: /${{ urlEscape(steps.open.id) }}/complete
              query: { key: "${{ steps.open.key }}" }
              json: { parts: "${{ steps.parts.list }}" }
              # S3 may take minutes to put the parts together.
              # pipeline: ignore[timeout-beyond-allowance] one that was cut is asked about
              timeout: 5m
            effect: create
            # A list of parts if it is open; the object if it is complete.
            probe:
              request: { url: "/${{ urlEscape(steps.open.id) }}", query: { key: "${{ steps.open.key }}" } }
              took_effect: ${{ response.status == 200 && type(response.json) == map }}
            on:
              # It was removed before, or has not all parts any more.
              - { if: "${{ response.status == 404 || response.text.contains('InvalidPart') }}", expired: open, refused: true }
        on_abandon:
          - request: { method: DELETE, url: "/${{ urlEscape(steps.open.id) }}", query: { key: "${{ steps.open.key }}" } }

    """##
}
