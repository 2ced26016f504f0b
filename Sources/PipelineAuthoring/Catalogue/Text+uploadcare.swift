// Generated from Pipelines/catalogue/uploadcare.yaml by `make generated`.
extension PipelineTemplate {
  static let uploadcareText = ##"""
    # Uploadcare, upload API (https://uploadcare.com/docs/api/upload/upload/multipart-file-upload-start): a large file gets a signed URL for each
    # of its parts, which go to the store side by side; a small one is a form. What is not stored is removed after a day.
    #
    #   pipeline run uploadcare.yaml --input public_key=KEY --input files='Videos/*'
    pipeline: uploadcare
    description: Uploads files to Uploadcare, large ones in parallel parts with a URL each, and waits until they are ready.

    inputs:
      server: { type: url, default: "https://upload.uploadcare.com", description: Root of the upload API. }
      public_key: { type: string, description: The project's public key. }
      files: { type: files, description: The files. }
      part_size: { type: size, default: 5 MiB, description: At least 5 MiB. }
      upload_cutoff: { type: size, default: 10 MiB, description: "A file that is smaller is sent whole: 10 to 100 MiB." }

    # Forms wait on disk.
    budgets: { disk: 256 MiB }

    retry:
      standard: { attempts: 6, backoff: { initial: 1s, max: 1m } }

    defaults: { url: "${{ inputs.server }}", headers: { Accept: application/vnd.uploadcare-v0.7+json } }

    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 4
        steps:
          # The API takes forms with parts, also for what has no file.
          - id: form
            if: ${{ file.size < inputs.upload_cutoff }}
            materialize:
              multipart:
                - { name: UPLOADCARE_PUB_KEY, text: "${{ inputs.public_key }}" }
                - { name: UPLOADCARE_STORE, text: "1" }
                - { name: file, file: "${{ file }}" }
          # A file whose response was lost is there twice: the API has no key to recognize a repeat by.
          - id: whole
            if: ${{ file.size < inputs.upload_cutoff }}
            upload: { method: POST, url: /base/, file: "${{ steps.form.file }}", example: { json: { file: "w${{ item.index }}" } } }
            effect: repeatable
            outputs: { uuid: "${{ response.json.file }}" }

          - id: asking
            if: ${{ file.size >= inputs.upload_cutoff }}
            materialize:
              multipart:
                - { name: UPLOADCARE_PUB_KEY, text: "${{ inputs.public_key }}" }
                - { name: UPLOADCARE_STORE, text: "1" }
                - { name: filename, text: "${{ file.name }}" }
                - { name: size, text: "${{ file.size }}" }
                - { name: part_size, text: "${{ math.greatest(inputs.part_size, 5 * MiB) }}" }
                - { name: content_type, text: "${{ file.content_type }}" }
          # An upload that is not completed ends after a day.
          - id: start
            if: ${{ file.size >= inputs.upload_cutoff }}
            upload:
              method: POST
              url: /multipart/start/
              file: ${{ steps.asking.file }}
              example: { json: { uuid: "m${{ item.index }}-${{ request.number }}", parts: "${{ ranges(file.size, 5 * MiB).map(one, 'https://store.test/' + string(item.index) + '/' + string(one.number) + '?X-Amz-Date=20260105T000000Z&X-Amz-Expires=86400') }}" } }
            effect: repeatable
            outputs:
              uuid: ${{ response.json.uuid }}
              # Anyone who has a URL may write there. The signature says how long.
              urls: { value: "${{ response.json.parts }}", secret: sealed, expires: { url: "${{ response.json.parts[0] }}" } }

          - id: parts
            if: ${{ file.size >= inputs.upload_cutoff }}
            for_each: part
            in: ${{ ranges(file.size, math.greatest(inputs.part_size, 5 * MiB)) }}
            concurrency: 4
            steps:
              - id: send
                upload:
                  url: ${{ steps.start.urls[part.index] }}
                  headers: { Content-Type: "${{ file.content_type }}" }
                  file: ${{ file }}
                  range: { offset: "${{ part.offset }}", length: "${{ part.length }}" }
                on: [{ if: "${{ response.status in [403, 404] }}", expired: start }]

          - id: completing
            if: ${{ file.size >= inputs.upload_cutoff }}
            materialize: { multipart: [{ name: UPLOADCARE_PUB_KEY, text: "${{ inputs.public_key }}" }, { name: uuid, text: "${{ steps.start.uuid }}" }] }
            depends_on: [parts]
          - id: complete
            if: ${{ file.size >= inputs.upload_cutoff }}
            upload: { method: POST, url: /multipart/complete/, file: "${{ steps.completing.file }}" }
            effect: repeatable
            on:
              # A repeat after a lost response.
              - { if: "${{ response.status == 400 && response.text.contains('already uploaded') }}", then: success }
              - { if: "${{ response.status == 404 || response.text.contains('File size mismatch') }}", expired: start }

          - id: ready
            poll:
              url: /info/
              query: { pub_key: "${{ inputs.public_key }}", file_id: "${{ file.size < inputs.upload_cutoff ? steps.whole.uuid : steps.start.uuid }}" }
              until: ${{ response.json.is_ready }}
              every: 5s
              deadline: 1d
              example: { json: { is_ready: true } }
            depends_on: [complete]

    """##
}
