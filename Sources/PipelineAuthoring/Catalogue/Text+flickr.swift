// Generated from Pipelines/catalogue/flickr.yaml by `make generated`.
extension PipelineTemplate {
  static let flickrText = ##"""
    # Flickr (https://www.flickr.com/services/api/upload.api.html, …/upload.async.html): a photo is sent as a form that is signed with OAuth
    # 1.0a, fields and all but the photo; the answer, in XML, is a ticket that says later how it went.
    #
    #   pipeline run flickr.yaml --input key=API_KEY --input secret=@SECRET --input token=TOKEN --input token_secret=@TOKEN_SECRET \
    #     --input files='Pictures/*'
    pipeline: flickr
    description: Uploads photos and videos to Flickr, and waits for their tickets.

    inputs:
      server: { type: url, default: "https://www.flickr.com/services", description: Root of the API. }
      upload_server: { type: url, default: "https://up.flickr.com/services", description: Root of the API for uploads. }
      key: { type: string, description: The API key. }
      secret: { type: secret, description: The API key's secret. }
      token: { type: secret, description: The user's access token. }
      token_secret: { type: secret, description: The secret of the user's token. }
      files: { type: files, description: "The photos and videos, at most 200 MB or 1 GB each." }

    # Forms wait on disk.
    budgets: { disk: 2 GiB }

    retry:
      standard: { attempts: 6, backoff: { initial: 2s, max: 2m } }

    credentials:
      reading: { oauth1: { consumer_key: "${{ inputs.key }}", consumer_secret: "${{ inputs.secret }}", token: "${{ inputs.token }}", token_secret: "${{ inputs.token_secret }}" } }
      # The standard leaves forms with files out of the signature; Flickr wants all their fields in it, but not the photo.
      writing: { oauth1: { consumer_key: "${{ inputs.key }}", consumer_secret: "${{ inputs.secret }}", token: "${{ inputs.token }}", token_secret: "${{ inputs.token_secret }}", parameters: { async: "1", dedup_check: "1" } } }

    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 2
        steps:
          - id: form
            materialize:
              multipart:
                - { name: async, text: "1" }
                - { name: dedup_check, text: "1" }
                - { name: photo, file: "${{ file }}" }

          # With `dedup_check`, Flickr knows a photo of the account by its content: a repeat is error 9. Whether it knows one that it has not
          # processed yet is not documented. Errors come with status 200.
          - id: send
            upload:
              method: POST
              url: ${{ inputs.upload_server }}/upload/
              credentials: writing
              file: ${{ steps.form.file }}
              example: { text: "<rsp stat='ok'><ticketid>${{ item.index }}-${{ request.number }}</ticketid></rsp>" }
            effect: repeatable
            on:
              - { if: "${{ response.xml.rsp['@stat'] == 'ok' }}", then: success }
              - { if: "${{ response.xml.rsp.err['@code'] == '9' }}", then: finish_item, message: it is there already }
              # 3: it did not arrive whole; 105 and 106: for the moment.
              - { if: "${{ response.xml.rsp.err['@code'] in ['3', '105', '106'] }}", then: retry, message: "${{ response.xml.rsp.err['@msg'] }}" }
              - { if: "${{ response.xml.rsp.err['@code'] in ['6', '7'] }}", then: pause, message: "${{ response.xml.rsp.err['@msg'] }}" }
              - { if: "${{ response.xml.rsp['@stat'] == 'fail' }}", then: fail, message: "${{ response.xml.rsp.err['@code'] }}: ${{ response.xml.rsp.err['@msg'] }}" }
            outputs: { ticket: "${{ response.xml.rsp.ticketid }}" }

          - id: processed
            poll:
              url: ${{ inputs.server }}/rest/
              query: { method: flickr.photos.upload.checkTickets, api_key: "${{ inputs.key }}", tickets: "${{ steps.send.ticket }}" }
              credentials: reading
              until: ${{ response.xml.rsp.uploader.ticket[?"@complete"].orValue("") == "1" }}
              every: 10s
              deadline: 1d
              example: { text: "<rsp stat='ok'><uploader><ticket id='1' complete='1' photoid='2995'/></uploader></rsp>" }
            on:
              - { if: "${{ response.xml.rsp['@stat'] == 'fail' && response.xml.rsp.err['@code'] in ['105', '106'] }}", then: retry }
              - { if: "${{ response.xml.rsp['@stat'] == 'fail' }}", then: fail, message: "${{ response.xml.rsp.err['@code'] }}: ${{ response.xml.rsp.err['@msg'] }}" }
              # Flickr does not know the ticket, or not any more: a photo that is there is error 9.
              - { if: "${{ response.xml.rsp.uploader.ticket[?'@invalid'].orValue('') == '1' }}", expired: send }
              - { if: "${{ response.xml.rsp.uploader.ticket[?'@complete'].orValue('') == '2' }}", then: fail, message: "ticket ${{ steps.send.ticket }} is refused" }

    """##
}
