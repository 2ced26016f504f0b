// Generated from Pipelines/catalogue/immich.yaml by `make generated`.
extension PipelineTemplate {
  static let immichText = ##"""
    # Immich (https://api.immich.app/endpoints/assets): one request asks which of many files the server has, by their SHA-1; the others are
    # sent as forms, and what arrives twice is kept once.
    #
    #   pipeline run immich.yaml --input server=https://photos.example.com --input key=@API_KEY --input files='Pictures/**/*'
    pipeline: immich
    description: Uploads photos and videos to Immich, and skips those that it has.

    inputs:
      server: { type: url, description: "Root of the server, without /api." }
      key: { type: secret, description: "An API key with the permission asset.upload." }
      files: { type: files, description: The photos and videos. }

    # Forms wait on disk. A proxy in front of the server may take less than a large video (413): 100 MB, for one that is well known.
    budgets: { disk: 2 GiB }

    retry:
      standard: { attempts: 6, backoff: { initial: 1s, max: 1m } }

    credentials:
      key: { header: { x-api-key: "${{ inputs.key }}" } }

    defaults:
      url: ${{ inputs.server }}/api
      credentials: key

    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 4
        steps:
          - id: sum
            digest: { file: "${{ file }}", take: [sha1] }

          - id: check
            batch: { items: 500, within: 2s, entry: { id: "${{ item.key }}", checksum: "${{ steps.sum.sha1.hex }}" } }
            request:
              method: POST
              url: /assets/bulk-upload-check
              json: { assets: "${{ batch.entries }}" }
              example: { json: { results: "${{ batch.entries.map(one, {'id': one.id, 'action': 'accept'}) }}" } }
            effect: repeatable
            results:
              each: ${{ response.json.results.filter(one, one.id == batch.entry.id)[0] }}
              on:
                - { if: "${{ batch.result.action == 'accept' }}", then: success }
                # The server has it, perhaps in its trash.
                - { if: "${{ batch.result.reason == 'duplicate' }}", then: finish_item }
                # A file of a kind that the server does not take: the others go on.
                - { if: "${{ batch.result.reason == 'unsupported-format' }}", then: fail, message: the server does not take files of this kind }

          - id: form
            materialize:
              multipart:
                - { name: deviceAssetId, text: "${{ file.name }}-${{ file.size }}" }
                - { name: deviceId, text: pipeline }
                - { name: fileCreatedAt, text: "${{ string(file.modified) }}" }
                - { name: fileModifiedAt, text: "${{ string(file.modified) }}" }
                - { name: assetData, file: "${{ file }}" }
            depends_on: [check]

          - id: send
            upload:
              method: POST
              url: /assets
              headers: { x-immich-checksum: "${{ steps.sum.sha1.hex }}" }
              file: ${{ steps.form.file }}
              example: { status: 201, json: { id: "a${{ item.index }}", status: created } }
            # The server knows a file by its SHA-1: a repeat is answered with 200 and the status `duplicate`, a new file with 201 (in its source,
            # server/src/middleware/asset-upload.interceptor.ts).
            effect: repeatable
            on:
              - { if: "${{ response.status in [200, 201] }}", then: success }
              - { if: "${{ response.status == 413 }}", then: fail, message: "the file is too large for the server or for a proxy in front of it" }
              - { if: "${{ response.text.contains('Quota has been exceeded') }}", then: pause, message: "the quota is used up; make some space, then `pipeline retry`" }

    """##
}
