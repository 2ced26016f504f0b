// Generated from Pipelines/catalogue/app-store-connect.yaml by `make generated`.
extension PipelineTemplate {
  static let appStoreConnectText = ##"""
    # App Store Connect, screenshots (https://developer.apple.com/documentation/appstoreconnectapi/uploading-assets-to-app-store-connect): a
    # reservation says which bytes go where, with which headers; the commit has the file's checksum. Other assets have other types.
    #
    #   pipeline run app-store-connect.yaml --input issuer=ID --input key_id=ID --input key=@Key.p8 --input set=ID --input files='*.png'
    pipeline: app-store-connect
    description: Uploads screenshots to App Store Connect by the operations that it dictates, and waits until they are processed.

    inputs:
      server: { type: url, default: "https://api.appstoreconnect.apple.com", description: Root of the API. }
      issuer: { type: string, description: Issuer of the API keys. }
      key_id: { type: string, description: ID of the API key. }
      key: { type: secret, description: "The API key's private key, in PEM form." }
      set: { type: string, description: ID of the set of screenshots. }
      files: { type: files, description: The screenshots. }

    retry:
      standard: { attempts: 6, backoff: { initial: 1s, max: 1m } }

    credentials:
      # Apple refuses tokens that live for more than 20 minutes. The operations have their own signatures, and get no token.
      api: { jwt: { alg: ES256, key: "${{ inputs.key }}", key_id: "${{ inputs.key_id }}", claims: { iss: "${{ inputs.issuer }}", aud: appstoreconnect-v1 }, life: 10m } }

    defaults:
      url: ${{ inputs.server }}/v1
      credentials: api

    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 4
        steps:
          - id: sum
            digest: { file: "${{ file }}", take: [md5] }

          # A reservation is visible in the set, and stays there if it is not committed: a lost response is asked about.
          - id: reserve
            request:
              method: POST
              url: /appScreenshots
              json:
                data:
                  type: appScreenshots
                  attributes: { fileName: "${{ file.name }}", fileSize: "${{ file.size }}" }
                  relationships: { appScreenshotSet: { data: { type: appScreenshotSets, id: "${{ inputs.set }}" } } }
              example: { json: { data: &one { id: "s${{ item.index }}", attributes: { fileName: "${{ file.name }}", fileSize: "${{ file.size }}", assetDeliveryState: { state: AWAITING_UPLOAD } } } } }
            effect: create
            probe:
              request: { url: "/appScreenshotSets/${{ inputs.set }}/appScreenshots", query: { limit: "200" } }
              took_effect: ${{ response.json.data.exists(one, one.attributes.fileName == file.name && one.attributes.fileSize == file.size && one.attributes.assetDeliveryState.state == "AWAITING_UPLOAD") }}
              example: { took_effect: { json: { data: [*one] } }, no_effect: { json: { data: [] } } }
            outputs:
              # Of the reservation, or of the list that the probe got.
              id: >-
                ${{ (type(response.json.data) == list ? response.json.data : [response.json.data]).filter(one,
                one.attributes.fileName == file.name && one.attributes.fileSize == file.size)[0].id }}

          - id: operations
            request:
              url: /appScreenshots/${{ steps.reserve.id }}
              example: { json: { data: { attributes: { uploadOperations: [{ method: PUT, url: "https://store.test/${{ item.index }}?Expires=4102444800", offset: 0, length: "${{ file.size }}", requestHeaders: [{ name: Content-Type, value: image/png }] }] } } } }
            on: [{ if: "${{ response.status == 404 }}", expired: reserve }]
            outputs:
              # Anyone who has a URL may write there. The operations are asked for again when the first one's signature is over.
              list:
                value: ${{ covering(response.json.data.attributes.uploadOperations, file.size) }}
                secret: sealed
                expires: { url: "${{ response.json.data.attributes.uploadOperations[0].url }}" }

          - id: parts
            for_each: operation
            in: ${{ steps.operations.list }}
            concurrency: 4
            steps:
              - id: send
                upload: # `method` is always PUT.
                  url: ${{ operation.url }}
                  headers: ["${{ operation.requestHeaders.transformMapEntry(_, one, {one.name: one.value}) }}"]
                  file: ${{ file }}
                  range: { offset: "${{ operation.offset }}", length: "${{ operation.length }}" }
                on: [{ if: "${{ response.status == 403 }}", expired: operations }]

          - id: commit
            request:
              method: PATCH
              url: /appScreenshots/${{ steps.reserve.id }}
              json: { data: { type: appScreenshots, id: "${{ steps.reserve.id }}", attributes: { uploaded: true, sourceFileChecksum: "${{ steps.sum.md5.hex }}" } } }
            depends_on: [parts]
            effect: repeatable
            on:
              - { if: "${{ response.status == 404 }}", expired: reserve }
              # It is committed already; the state below tells.
              - { if: "${{ response.status == 409 }}", then: success }

          - id: processed
            let: { delivery: "${{ response.json.data.attributes.assetDeliveryState }}" }
            poll:
              url: /appScreenshots/${{ steps.reserve.id }}
              until: ${{ delivery.state == "COMPLETE" }}
              every: 10s
              deadline: 1h
              example: { json: { data: { attributes: { assetDeliveryState: { state: COMPLETE } } } } }
            depends_on: [commit]
            on:
              - { if: "${{ response.status == 404 }}", expired: reserve }
              - { if: "${{ delivery.state == 'FAILED' }}", then: fail, message: "${{ delivery.errors.map(one, one.code + ': ' + one.description).join('; ') }}" }
        on_abandon:
          - request: { method: DELETE, url: "/appScreenshots/${{ steps.reserve.id }}" }

    """##
}
