// Generated from Pipelines/catalogue/gcs-resumable.yaml by `make generated`.
extension PipelineTemplate {
  static let gcsResumableText = ##"""
    # Google Cloud Storage, resumable uploads (https://cloud.google.com/storage/docs/performing-resumable-uploads): files are sent in
    # pieces of whole 256 KiB, and a file that was cut goes on where the server says. YouTube and Drive speak the same protocol.
    # Proven against gcp-storage-emulator, read back by google-cloud-storage.
    #
    #   pipeline run gcs-resumable.yaml --input bucket=NAME --input token=@TOKEN --input files='Videos/*'
    pipeline: gcs-resumable
    description: Uploads files to a bucket through resumable sessions, and goes on inside a file where the server says.

    inputs:
      server: { type: url, default: "https://storage.googleapis.com", description: Root of the API. }
      bucket: { type: string, description: The bucket. }
      token: { type: secret, required: false, description: "Access token; none for a server without accounts." }
      files: { type: files, description: "The files to upload; each becomes an object, whose name is its path below the folder of the glob." }
      chunk_size: { type: size, default: 32 MiB, description: "The most bytes that one request sends, a multiple of 256 KiB." }

    retry:
      standard: { attempts: 6, backoff: { initial: 1s, max: 1m } }

    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 4
        steps:
          # Sessions end with the last byte, or after a week, and both look alike (410, see googleapis/python-storage#26, or 404, as the
          # emulator says): the object then says which it was, since its metadata has the key of this item.
          - id: look
            request:
              url: ${{ inputs.server }}/storage/v1/b/${{ urlEscape(inputs.bucket) }}/o/${{ urlEscape(file.relative) }}
              bearer: ${{ inputs.token }}
            on:
              - { if: "${{ response.status == 200 && response.json.?metadata.?item.orValue('') == item.key }}", then: finish_item }
              - { if: "${{ response.status in [200, 404] }}", then: success }

          # A session whose URL is lost holds nothing, and ends by itself.
          - id: begin
            request:
              method: POST
              url: ${{ inputs.server }}/upload/storage/v1/b/${{ urlEscape(inputs.bucket) }}/o
              query: { uploadType: resumable, name: "${{ file.relative }}" }
              bearer: ${{ inputs.token }}
              headers: { X-Upload-Content-Length: "${{ string(file.size) }}", X-Upload-Content-Type: "${{ file.content_type }}" }
              json: { name: "${{ file.relative }}", metadata: { item: "${{ item.key }}" } }
            depends_on: [look]
            effect: repeatable
            outputs:
              # Anyone who knows the URL may write there until the session ends.
              session: { value: "${{ resolve(inputs.server, response.headers.location) }}", secret: sealed, expires: { in: 7d, skew: 1h } }

          - id: sent
            repeat:
              from: { offset: 0, is_whole: false }
              until: ${{ steps.sent.is_whole }}
              resync:
                request:
                  method: PUT
                  url: ${{ steps.begin.session }}
                  headers: { Content-Range: "bytes */${{ file.size }}" }
                # `Range: bytes=0-524287`; none if the server has nothing, for which some say `bytes=0-0`.
                next: &answer
                  offset: '${{ int(capture(header(response.headers, "range").orValue(""), "-([1-9][0-9]*)$").orValue("-1")) + 1 }}'
                  is_whole: ${{ response.status != 308 }}
              steps:
                - id: send
                  upload:
                    method: PUT
                    url: ${{ steps.begin.session }}
                    headers:
                      Content-Range: >-
                        ${{ file.size == 0 ? "bytes */0" : "bytes " + string(steps.sent.offset) + "-" + string(math.least(steps.sent.offset
                        + inputs.chunk_size, file.size) - 1) + "/" + string(file.size) }}
                    file: ${{ file }}
                    range:
                      offset: ${{ steps.sent.offset }}
                      length: ${{ math.least(inputs.chunk_size, file.size - steps.sent.offset) }}
                  on:
                    - { if: "${{ response.status in [200, 201, 308] }}", then: success }
                    - { if: "${{ response.status in [404, 410] }}", expired: look }
                    # Another first byte than the server waits for.
                    - { if: "${{ response.status == 416 || response.text.contains('Content-Range') }}", then: resync }
                  outputs: *answer
              next: { offset: "${{ steps.send.offset }}", is_whole: "${{ steps.send.is_whole }}" }
            on:
              - { if: "${{ response.status in [200, 201, 308] }}", then: success }
              - { if: "${{ response.status in [404, 410] }}", expired: look }
        on_abandon:
          # A session that is cancelled answers 499.
          - request: { method: DELETE, url: "${{ steps.begin.session }}" }

    """##
}
