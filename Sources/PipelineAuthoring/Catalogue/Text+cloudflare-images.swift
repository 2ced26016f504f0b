// Generated from Pipelines/catalogue/cloudflare-images.yaml by `make generated`.
extension PipelineTemplate {
  static let cloudflareImagesText = ##"""
    # Cloudflare Images, direct creator uploads (https://developers.cloudflare.com/images/storage/upload-images/direct-creator-upload): a URL
    # that works once is asked for, the picture goes there as a form, and is there once it is not a draft any more.
    #
    #   pipeline run cloudflare-images.yaml --input account=ID --input token=@TOKEN --input files='Pictures/*'
    pipeline: cloudflare-images
    description: Uploads pictures to Cloudflare Images through one-time URLs.

    inputs:
      server: { type: url, default: "https://api.cloudflare.com/client/v4", description: Root of the API. }
      account: { type: string, description: ID of the account. }
      token: { type: secret, description: "API token with the permission Cloudflare Images: Edit." }
      files: { type: files, description: The pictures. }

    # Forms wait on disk.
    budgets: { disk: 256 MiB }

    retry:
      standard: { attempts: 6, backoff: { initial: 1s, max: 1m } }

    defaults:
      url: ${{ inputs.server }}/accounts/${{ urlEscape(inputs.account) }}/images
      bearer: ${{ inputs.token }}

    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 4
        steps:
          # A draft does not appear among the images.
          - id: begin
            request:
              method: POST
              url: /v2/direct_upload
              example: { json: { result: { id: "i${{ item.index }}-${{ request.number }}", uploadURL: "https://up.test/${{ item.index }}/${{ request.number }}" }, success: true } }
            effect: repeatable
            outputs:
              id: ${{ response.json.result.id }}
              # Half an hour, unless the request says otherwise; but it is used until it is refused, so that no picture whose response
              # was lost is sent to another URL. Anyone who has it may write there, once.
              url: { value: "${{ response.json.result.uploadURL }}", secret: sealed }

          - id: form
            materialize: { multipart: [{ name: file, file: "${{ file }}" }] }

          # The URL works once: a repeat after a lost response is refused, although the picture is there. What is refused for that, or
          # because the URL is over, is asked about below.
          - id: send
            upload: { method: POST, url: "${{ steps.begin.url }}", file: "${{ steps.form.file }}", example: { json: { success: true } } }
            effect: repeatable
            on:
              - { if: "${{ response.status in [400, 401, 403, 404, 409, 410] }}", then: success }
              - { if: "${{ response.status == 415 }}", then: fail, message: the picture has a format that is not taken }
            outputs: { was_refused: "${{ response.status != 200 }}", words: "${{ response.text.size() < 200 ? response.text : '' }}" }

          - id: there
            let: { is_draft: "${{ response.json.result.?draft.orValue(false) }}" }
            poll:
              url: /v1/${{ steps.begin.id }}
              until: ${{ !is_draft }}
              message: it is still a draft ${{ steps.send.words }}
              every: 5s
              deadline: 10m
              example: { json: { result: { id: "1" }, success: true } }
            on:
              - { if: "${{ response.status == 404 || response.status == 200 && is_draft && steps.send.was_refused }}", expired: begin }
        on_abandon:
          - request: { method: DELETE, url: "/v1/${{ steps.begin.id }}" }

    """##
}
