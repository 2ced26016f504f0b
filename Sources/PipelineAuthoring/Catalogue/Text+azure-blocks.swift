// Generated from Pipelines/catalogue/azure-blocks.yaml by `make generated`.
extension PipelineTemplate {
  static let azureBlocksText = ##"""
    # Azure Blob Storage, block blobs (https://learn.microsoft.com/rest/api/storageservices/put-block-list): blocks with IDs that this file
    # chooses are sent several at once, and a list of them makes the blob.
    #
    #   pipeline run azure-blocks.yaml --input server=https://ACCOUNT.blob.core.windows.net --input account=ACCOUNT --input key=@KEYFILE \
    #     --input container=films --input files='Videos/*'
    #
    # With a shared access signature instead of the account's key, leave `credentials` out, and write `?${{ inputs.sas }}` after each name.
    pipeline: azure-blocks
    description: Uploads files to an Azure container as block blobs, in parallel blocks, and goes on inside a file.

    inputs:
      server: { type: url, description: "Endpoint of the account's blobs." }
      account: { type: string, description: The storage account. }
      key: { type: secret, description: "The account's key, in base64." }
      container: { type: string }
      files: { type: files, description: "The files to upload; each becomes a blob, whose name is its path below the folder of the glob." }
      block_size: { type: size, default: 16 MiB, description: "At most 4000 MiB. A file that is not larger is sent whole; blocks grow so that there are at most 50,000." }

    retry: { standard: { attempts: 6, backoff: { initial: 1s, max: 1m } } }

    credentials:
      account: { shared_key: { account: "${{ inputs.account }}", key: "${{ inputs.key }}" } }

    defaults:
      url: ${{ inputs.server }}/${{ inputs.container }}
      credentials: account
      headers: { x-ms-version: "2021-12-02" }

    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 4
        steps:
          - id: put
            if: ${{ file.size <= inputs.block_size }}
            upload:
              url: /${{ urlEscapePath(file.relative) }}
              headers: { x-ms-blob-type: BlockBlob, Content-Type: "${{ file.content_type }}" }
              file: ${{ file }}

          # Blocks that are not committed are gone after 7 days, and when another writer commits the blob: all are sent again. Azure then
          # says 400 InvalidBlockList (https://learn.microsoft.com/rest/api/storageservices/blob-service-error-codes).
          - id: blocks
            if: ${{ file.size > inputs.block_size }}
            for_each: block
            in: '${{ parts(file.size, {"size": inputs.block_size, "max_count": 50000}) }}'
            concurrency: 4
            steps:
              - id: send
                # All IDs of a blob must have the same length: 32 bytes, in base64. The same item has the same ID again, so that a repeat
                # replaces the block, and no other writer has it.
                let: { name: '${{ base64.encode(sha256(item.key + "/" + string(block.number))) }}' }
                upload:
                  url: /${{ urlEscapePath(file.relative) }}
                  query: { comp: block, blockid: "${{ name }}" }
                  file: ${{ file }}
                  range: { offset: "${{ block.offset }}", length: "${{ block.length }}" }
                on:
                  - { if: "${{ response.status == 409 && response.text.contains('BlockCountExceedsLimit') }}", then: pause, message: "the blob has too many blocks that no one committed; delete it, or wait for a week" }
                outputs: { name: "${{ name }}" }
            collect: { names: "${{ steps.send.name }}" }

          # `Latest` finds blocks that an earlier attempt has committed, so a repeat makes the same blob.
          - id: commit
            if: ${{ file.size > inputs.block_size }}
            request:
              method: PUT
              url: /${{ urlEscapePath(file.relative) }}
              query: { comp: blocklist }
              headers: { x-ms-blob-content-type: "${{ file.content_type }}" }
              xml: '<BlockList>${{ {"Latest": steps.blocks.names} }}</BlockList>'
            on:
              - { if: "${{ response.status == 400 && response.text.contains('InvalidBlockList') }}", expired: blocks }
        # Blocks that were not committed cannot be deleted alone; the service removes them after a week.

    """##
}
