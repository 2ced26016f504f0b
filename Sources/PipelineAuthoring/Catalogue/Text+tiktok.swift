// Generated from Pipelines/catalogue/tiktok.yaml by `make generated`.
extension PipelineTemplate {
  static let tiktokText = ##"""
    # TikTok, Content Posting API (https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide and …-reference-upload-video):
    # a film is sent in chunks, one after the other, within an hour, and then lies in the user's inbox.
    #
    #   pipeline run tiktok.yaml --input client=KEY --input secret=@SECRET --input refresh_token=@TOKEN --input files='Videos/*.mp4'
    # What the URL answers once its hour is over could not be verified: 403 and 404 are taken for it.
    pipeline: tiktok
    description: Sends films to a TikTok user's inbox in chunks, and goes on inside a film where TikTok says.

    inputs:
      server: { type: url, default: "https://open.tiktokapis.com", description: Root of the API. }
      client: { type: string, description: The app's client key. }
      secret: { type: secret, description: The app's client secret. }
      refresh_token: { type: secret, description: "The user's refresh token, with the scope video.upload." }
      files: { type: files, description: "The films, of up to 4 GB." }
      chunk_size: { type: size, default: 10 MB, description: "5 to 64 MB. Chunks grow so that there are at most 1,000, and the last one takes the rest." }

    retry:
      standard: { attempts: 6, backoff: { initial: 2s, max: 1m } }

    steps:
      # TikTok names the client in its own way, which no kind of credential writes. An access token lives for a day.
      - id: token
        request:
          method: POST
          url: ${{ inputs.server }}/v2/oauth/token/
          form: { grant_type: refresh_token, client_key: "${{ inputs.client }}", client_secret: "${{ inputs.secret }}", refresh_token: '${{ previous.refresh_token == null ? inputs.refresh_token : previous.refresh_token }}' }
        effect: repeatable
        outputs:
          access: { value: "${{ response.json.access_token }}", secret: true, expires: { in: "${{ seconds(response.json.expires_in) }}", skew: 5m } }
          refresh_token: { value: "${{ response.json.refresh_token }}", secret: sealed }

      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 2
        defaults: { url: "${{ inputs.server }}/v2/post/publish", bearer: "${{ steps.token.access }}" }
        steps:
          # A film that is begun and not finished ends after an hour; there is no request that ends it.
          - id: begin
            let: { size: '${{ parts(file.size, {"size": inputs.chunk_size, "min": math.least(5 * MB, file.size), "max_count": 1000, "last": "merge"})[0].length }}' }
            request:
              method: POST
              url: /inbox/video/init/
              json: { source_info: { source: FILE_UPLOAD, video_size: "${{ file.size }}", chunk_size: "${{ size }}", total_chunk_count: "${{ file.size / size }}" } }
              example: { json: { data: { publish_id: "v${{ request.number }}", upload_url: "https://up.test/${{ item.index }}/${{ request.number }}" }, error: { code: ok } } }
            effect: repeatable
            on:
              # Six films a minute, thirty questions a minute: the window slides.
              - { if: "${{ response.json.error.code == 'rate_limit_exceeded' }}", then: poll, after: 25s }
              - { if: "${{ response.json.error.code == 'access_token_invalid' }}", expired: token }
              - { if: "${{ response.json.error.code != 'ok' }}", then: fail, message: "${{ response.json.error.code }}: ${{ response.json.error.message }}" }
            outputs:
              id: ${{ response.json.data.publish_id }}
              # All chunks must arrive within the hour. Anyone who has it may write there.
              url: { value: "${{ response.json.data.upload_url }}", secret: sealed, expires: { in: 1h, skew: 1m } }
              size: ${{ size }}
            # An hour is over soon on a phone that sleeps.
            max_reissues: 100

          - id: sent
            repeat:
              from: { offset: 0 }
              until: ${{ steps.sent.offset == file.size }}
              resync:
                request: { method: POST, url: /status/fetch/, json: { publish_id: "${{ steps.begin.id }}" } }
                # Only whole chunks count.
                next: { offset: "${{ response.json.data.uploaded_bytes == file.size ? file.size : response.json.data.uploaded_bytes / steps.begin.size * steps.begin.size }}" }
              steps:
                - id: send
                  let:
                    length: "${{ steps.sent.offset + 2 * steps.begin.size > file.size ? file.size - steps.sent.offset : steps.begin.size }}"
                  upload:
                    method: PUT
                    url: ${{ steps.begin.url }}
                    headers:
                      Content-Type: ${{ file.content_type }}
                      Content-Range: bytes ${{ steps.sent.offset }}-${{ steps.sent.offset + length - 1 }}/${{ file.size }}
                    file: ${{ file }}
                    range: { offset: "${{ steps.sent.offset }}", length: "${{ length }}" }
                  on:
                    - { if: "${{ response.status in [201, 206] }}", then: success }
                    - { if: "${{ response.status == 416 }}", then: resync }
                    - { if: "${{ response.status in [403, 404] }}", expired: begin }
                  outputs: { offset: "${{ steps.sent.offset + length }}" }
              next: { offset: "${{ steps.send.offset }}" }
            on:
              - { if: "${{ response.status in [403, 404] || response.json.error.code == 'invalid_publish_id' }}", expired: begin }

          - id: arrived
            poll:
              method: POST
              url: /status/fetch/
              json: { publish_id: "${{ steps.begin.id }}" }
              until: ${{ response.json.data.status in ["SEND_TO_USER_INBOX", "PUBLISH_COMPLETE"] }}
              every: 10s
              deadline: 1d
              example: { json: { data: { status: SEND_TO_USER_INBOX }, error: { code: ok } } }
            depends_on: [sent]
            on:
              - { if: "${{ response.json.error.code == 'rate_limit_exceeded' }}", then: poll, after: 25s }
              - { if: "${{ response.json.error.code == 'access_token_invalid' }}", expired: token }
              - { if: "${{ response.json.error.code != 'ok' }}", then: fail, message: "${{ response.json.error.code }}: ${{ response.json.error.message }}" }
              - { if: "${{ response.json.data.status == 'FAILED' }}", then: fail, message: "${{ response.json.data.fail_reason }}" }

    """##
}
