// Generated from Pipelines/catalogue/instagram.yaml by `make generated`.
extension PipelineTemplate {
  static let instagramText = ##"""
    # Instagram, reels (https://developers.facebook.com/documentation/instagram-platform/content-publishing/resumable-uploads): a container
    # is made, the film goes to another host, which says how far it came, and what was processed is published within a day.
    #
    #   pipeline run instagram.yaml --input account=17841400000000000 --input token=@TOKEN --input files='Videos/*.mp4'
    pipeline: instagram
    description: Publishes films on Instagram as reels, and goes on inside a film where Instagram says.

    inputs:
      server: { type: url, default: "https://graph.facebook.com/v25.0", description: "Root of the API, with its version." }
      account: { type: string, description: ID of the professional account. }
      token: { type: secret, description: "Access token with the permission instagram_content_publish." }
      caption: { type: string, default: "", description: The caption of each reel. }
      files: { type: files, description: The films to publish. }

    retry:
      standard: { attempts: 6, backoff: { initial: 2s, max: 2m } }

    defaults:
      url: ${{ inputs.server }}
      bearer: ${{ inputs.token }}

    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 2
        steps:
          # A container that is not published is not visible, and ends after a day; there is no request that removes it.
          - id: create
            request:
              method: POST
              url: /${{ inputs.account }}/media
              form: { media_type: REELS, upload_type: resumable, caption: "${{ inputs.caption }}" }
              example: { json: { id: "${{ request.number }}", uri: "https://rupload.test/ig-api-upload/${{ item.index }}-${{ request.number }}" } }
            effect: repeatable
            outputs:
              id: { value: "${{ response.json.id }}", expires: { in: 1d, skew: 5m } }
              uri: ${{ response.json.uri }}

          - id: sent
            repeat:
              from: { offset: 0 }
              until: ${{ steps.sent.offset == file.size }}
              resync:
                request: { url: "/${{ steps.create.id }}", query: { fields: video_status } }
                next: { offset: "${{ response.json.?video_status.?uploading_phase.?bytes_transferred.orValue(0) }}" }
              steps:
                - id: send
                  upload:
                    method: POST
                    url: ${{ steps.create.uri }}
                    # pipeline: ignore[foreign-credential] the upload host is a service of the same company, and wants the token
                    headers: { Authorization: "OAuth ${{ inputs.token }}", offset: "${{ string(steps.sent.offset) }}", file_size: "${{ string(file.size) }}" }
                    file: ${{ file }}
                    range: { offset: "${{ steps.sent.offset }}", length: "${{ file.size - steps.sent.offset }}" }
                    example: { json: { success: true } }
                  effect: repeatable
                  on:
                    - { if: "${{ response.json.?success.orValue(false) }}", then: success }
                    - { if: "${{ response.json.debug_info.retriable }}", then: resync }
                    - { if: "${{ has(response.json.debug_info) }}", then: fail, message: "${{ response.json.debug_info.type }}: ${{ response.json.debug_info.message }}" }
                  outputs: { offset: "${{ file.size }}" }
              next: { offset: "${{ steps.send.offset }}" }
            # A container that is not there any more.
            on: [{ if: "${{ response.status in [400, 404] }}", expired: create }]

          - id: processed
            poll:
              url: /${{ steps.create.id }}
              query: { fields: "status_code,status" }
              until: ${{ response.json.status_code in ["FINISHED", "PUBLISHED"] }}
              message: ${{ response.json.?status.orValue(response.json.status_code) }}
              every: 20s
              deadline: 1d
              example: { json: { status_code: FINISHED } }
            depends_on: [sent]
            on:
              - { if: "${{ response.json.status_code == 'EXPIRED' }}", expired: create }
              - { if: "${{ response.json.status_code == 'ERROR' }}", then: fail, message: "${{ response.json.status }}" }

          # So many posts a day are allowed (100 at present); the day slides.
          - id: quota
            poll:
              url: /${{ inputs.account }}/content_publishing_limit
              query: { fields: "quota_usage,config" }
              until: ${{ response.json.data[0].quota_usage < response.json.data[0].config.quota_total }}
              message: ${{ response.json.data[0].quota_usage }} posts in a day are the most
              # pipeline: ignore[poll-beyond-allowance] the day slides slowly, and the app will be opened again
              every: 1h
              deadline: 2d
              example: { json: { data: [{ quota_usage: 0, config: { quota_total: 100 } }] } }
            depends_on: [processed]

          - id: publish
            request: { method: POST, url: "/${{ inputs.account }}/media_publish", form: { creation_id: "${{ steps.create.id }}" } }
            depends_on: [processed, quota]
            effect: create
            # The container says whether it was published.
            probe:
              request: { url: "/${{ steps.create.id }}", query: { fields: status_code } }
              took_effect: ${{ response.json.status_code == "PUBLISHED" }}
              until: 1m
            on:
              - { if: "${{ response.status == 200 }}", then: success }
              - { if: "${{ response.json.error.error_subcode == 2207020 }}", expired: create, refused: true }
              - { if: "${{ response.json.error.error_subcode == 2207042 }}", expired: quota, refused: true }
              - { if: "${{ response.json.error.error_subcode in [2207008, 2207027] }}", then: retry, after: 30s }

    """##
}
