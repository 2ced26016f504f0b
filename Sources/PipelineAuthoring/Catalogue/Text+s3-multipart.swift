// Generated from Pipelines/catalogue/s3-multipart.yaml by `make generated`.
extension PipelineTemplate {
  static let s3MultipartText = ##"""
    # S3 multipart uploads (https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html), signed with AWS Signature Version 4:
    # large files are sent in parts, several at once, and a file that was cut goes on with the parts that are missing.
    # A part has 5 MiB to 5 GiB, and there are at most 10,000 (https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html).
    # Proven against rclone 1.75, moto 5.2 and radosgw 16.2, read back by boto3.
    #
    #   pipeline run s3-multipart.yaml --input server=https://s3.eu-central-1.amazonaws.com --input region=eu-central-1 \
    #     --input bucket=films --input access_key=AKIA… --input secret_key=@KEYFILE --input files='Videos/*'
    pipeline: s3-multipart
    description: Uploads files to an S3 bucket, large ones in parallel parts, and goes on inside a file.

    inputs:
      server: { type: url, description: "Endpoint of the service, without the bucket." }
      bucket: { type: string }
      region: { type: string, default: us-east-1 }
      access_key: { type: string, description: ID of the access key. }
      secret_key: { type: secret, description: The secret access key. }
      files: { type: files, description: "The files to upload; each becomes an object, whose key is its path below the folder of the glob." }
      part_size: { type: size, default: 8 MiB, description: "At least 5 MiB. A file that is not larger is sent whole; parts grow so that there are at most 10,000." }

    retry:
      standard: { attempts: 6, backoff: { initial: 1s, max: 1m } }

    credentials:
      s3:
        # The body is not signed: TLS protects it, and it is read once.
        aws_v4: { key: "${{ inputs.access_key }}", secret: "${{ inputs.secret_key }}", region: "${{ inputs.region }}", service: s3, payload: unsigned }

    defaults:
      url: ${{ inputs.server }}/${{ inputs.bucket }}
      credentials: s3

    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 4
        steps:
          - id: put
            if: ${{ file.size <= inputs.part_size }}
            upload: { method: PUT, url: "/${{ urlEscapePath(file.relative) }}", file: "${{ file }}" }

          # An upload that is no longer known has ended, or it has expired: the object says which, since it has this item's key.
          - id: look
            if: ${{ file.size > inputs.part_size }}
            request: { method: HEAD, url: "/${{ urlEscapePath(file.relative) }}" }
            on:
              - { if: "${{ response.status == 200 && header(response.headers, 'x-amz-meta-item').orValue('') == item.key }}", then: finish_item }
              # 403 is also what a key gets that may write and not list. If it may not write, `open` has the reason: this response has no body.
              - { if: "${{ response.status in [200, 403, 404] }}", then: success }

          # An upload whose response is lost holds nothing. A lifecycle rule (AbortIncompleteMultipartUpload) removes it.
          - id: open
            if: ${{ file.size > inputs.part_size }}
            request:
              method: POST
              url: "/${{ urlEscapePath(file.relative) }}?uploads="
              headers: { Content-Type: "${{ file.content_type }}", x-amz-meta-item: "${{ item.key }}" }
              example: { text: "<InitiateMultipartUploadResult><UploadId>u${{ request.number }}</UploadId></InitiateMultipartUploadResult>" }
            depends_on: [look]
            effect: repeatable
            # Servers do not agree on the name of the element around it.
            outputs: { id: '${{ capture(response.text, "<UploadId>([^<]+)</UploadId>").value() }}' }

          - id: parts
            if: ${{ file.size > inputs.part_size }}
            for_each: part
            in: '${{ parts(file.size, {"size": inputs.part_size, "max_count": 10000}) }}'
            # Parts that a kill cuts are sent again as a whole: at most three.
            concurrency: 3
            steps:
              - id: send
                upload:
                  method: PUT
                  url: /${{ urlEscapePath(file.relative) }}
                  query: { partNumber: "${{ string(part.number) }}", uploadId: "${{ steps.open.id }}" }
                  file: ${{ file }}
                  range: { offset: "${{ part.offset }}", length: "${{ part.length }}" }
                on:
                  - { if: "${{ response.status == 404 && response.text.contains('NoSuchUpload') }}", expired: look }
                outputs: { etag: "${{ response.headers.etag }}" }
            collect: { list: '${{ {"PartNumber": part.number, "ETag": steps.send.etag} }}' }

          - id: complete
            if: ${{ file.size > inputs.part_size }}
            request:
              method: POST
              url: /${{ urlEscapePath(file.relative) }}
              query: { uploadId: "${{ steps.open.id }}" }
              # It may take minutes, and begin with 200 and white space before it fails.
              # pipeline: ignore[timeout-beyond-allowance] one that was cut is repeated: the answer is the same, or the object says so
              timeout: 5m
              xml: |
                <CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${{ {"Part": steps.parts.list} }}</CompleteMultipartUpload>
            on:
              - { if: "${{ response.status == 200 && response.text.contains('<Error>') }}", then: retry, message: "${{ capture(response.text, '<Message>([^<]*)').orValue('') }}" }
              - { if: "${{ response.status == 404 && response.text.contains('NoSuchUpload') }}", expired: look }
              # A part that the server does not have any more, or has otherwise.
              - { if: "${{ response.status == 400 && response.text.contains('InvalidPart') }}", expired: open }
        on_abandon:
          - request: { method: DELETE, url: "/${{ urlEscapePath(file.relative) }}", query: { uploadId: "${{ steps.open.id }}" } }

    """##
}
