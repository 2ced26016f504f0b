// Generated from Pipelines/catalogue/slack.yaml by `make generated`.
extension PipelineTemplate {
  static let slackText = ##"""
    # Slack (https://docs.slack.dev/reference/methods/files.getUploadURLExternal and …/files.completeUploadExternal): a URL is asked for
    # each file, the bytes go there without a token, and one request shares up to ten files in a channel as one message.
    #
    #   pipeline run slack.yaml --input channel=C0123456789 --input token=@TOKEN --input files='Pictures/*'
    pipeline: slack
    description: Shares files in a Slack channel, several in one message.

    inputs:
      server: { type: url, default: "https://slack.com/api", description: Root of the Web API. }
      token: { type: secret, description: "A token with the scopes files:write and files:read." }
      channel: { type: string, description: "ID of the channel, of which the app is a member." }
      comment: { type: string, default: "", description: The text of each message. }
      files: { type: files, description: The files to share. }

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
          # Nothing is visible of an upload that is not completed; Slack aborts it. Errors come with status 200.
          - id: begin
            request:
              method: POST
              url: /files.getUploadURLExternal
              form: { filename: "${{ file.name }}", length: "${{ string(file.size) }}" }
              example: { json: { ok: true, upload_url: "https://files.slack.test/upload/${{ request.number }}", file_id: "F${{ item.index }}N${{ request.number }}" } }
            effect: repeatable
            on:
              - { if: "${{ response.json.ok }}", then: success }
              - { if: "${{ response.json.error in ['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout'] }}", then: retry, message: "${{ response.json.error }}" }
              - { if: "${{ response.status == 200 }}", then: fail, message: "${{ response.json.error }}" }
            outputs:
              # How long it is valid is not documented: until it is refused. Anyone who has it may write there.
              url: { value: "${{ response.json.upload_url }}", secret: sealed }
              id: ${{ response.json.file_id }}

          - id: send
            upload: { method: POST, url: "${{ steps.begin.url }}", file: "${{ file }}" }
            on:
              - { if: "${{ response.status == 200 }}", then: success }
              - { if: "${{ response.status in [400, 401, 403, 404, 410] }}", expired: begin }

          - id: share
            batch: { items: 10, within: 5s, entry: { id: "${{ steps.begin.id }}", title: "${{ file.name }}" } }
            request:
              method: POST
              url: /files.completeUploadExternal
              json: { channel_id: "${{ inputs.channel }}", initial_comment: "${{ inputs.comment }}", files: "${{ batch.entries }}" }
              example: { json: { ok: true, files: "${{ batch.entries }}" } }
            depends_on: [send]
            effect: create
            # A lost response: the files of a message are shared together or not at all, so the first one speaks for all. That a file is
            # not found until its upload is completed is not documented.
            probe:
              request: { url: /files.info, query: { file: "${{ batch.entries[0].id }}" } }
              took_effect: ${{ response.json.ok }}
              example: { took_effect: { json: { ok: true } }, no_effect: { json: { ok: false, error: file_not_found } } }
            on:
              - { if: "${{ response.json.ok }}", then: success }
              - { if: "${{ response.json.error in ['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout'] }}", then: retry, message: "${{ response.json.error }}" }
              # Slack aborted the uploads.
              - { if: "${{ response.status == 200 && response.json.error in ['file_not_found', 'file_not_uploaded'] }}", expired: begin, refused: true }
              - { if: "${{ response.status == 200 }}", then: fail, message: "${{ response.json.error }}", refused: true }
            results:
              # The probe's response has no list.
              each: ${{ response.json.?files.orValue([batch.entry]).filter(one, one.id == batch.entry.id)[0] }}
              on: [{ then: success }]

    """##
}
