import PipelineDocument

extension PipelineTemplate {
  static let presigned = PipelineTemplate(
    name: "presigned", pipeline: "presigned",
    summary: "request a presigned URL, send the file there, request a new URL when it has expired",
    text: """
      # Upload each file to a URL that the API signs for a limited time, as object stores expect.
      #
      #   pipeline run presigned.yaml --input server=https://api.example.com --input token=@token.txt
      pipeline: presigned
      description: Upload files to presigned URLs.

      inputs:
        server:
          type: url
          description: Root of the API that signs, without a slash at the end.
        token:
          type: secret
        files:
          type: files
          description: Files to upload; a glob is relative to this file's folder.

      steps:
        - for_each: file
          in: ${{ inputs.files }}
          concurrency: 4
          steps:
            - id: sign
              request:
                method: POST
                url: ${{ inputs.server + "/sign" }}
                bearer: ${{ inputs.token }}
                json:
                  name: ${{ file.name }}
                  size: ${{ file.size }}
              effect: repeatable
              outputs:
                url:
                  value: ${{ response.json.url }}
                  secret: true               # anyone who has the URL can write there
                  # When the URL has expired, this step is reissued before the upload begins.
                  expires: { in: 15m, skew: 60s }

            - id: put
              upload:
                method: PUT
                url: ${{ steps.sign.url }}
                file: ${{ file }}
                resource_timeout: 14m        # then the URL expires, and waiting longer is pointless
              on:
                # The store refuses a signature that expired in the queue.
                - if: ${{ response.status == 403 }}
                  expired: sign

      """)

  static let allocateUploadFinalize = PipelineTemplate(
    name: "allocate-upload-finalize", pipeline: "photos",
    summary: "sign in, allocate an upload, send its content, finalize it; safe to repeat",
    text: """
      # Upload each file in three calls: allocate an upload, send its content, finalize it.
      #
      #   pipeline run photos.yaml --input server=https://api.example.com --input user=ada --input password=@password.txt
      pipeline: photos
      description: Upload files through an allocate–upload–finalize API.

      inputs:
        server:
          type: url
          description: Root of the API, without a slash at the end.
        user:
          type: string
        password:
          type: secret
        files:
          type: files
          description: Files to upload; a glob is relative to this file's folder.

      steps:
        # A step outside the loop runs once for all files, and again when its token has expired.
        - id: sign_in
          request:
            method: POST
            url: ${{ inputs.server + "/login" }}
            json:
              user: ${{ inputs.user }}
              password: ${{ inputs.password }}
          effect: repeatable
          outputs:
            token:
              value: ${{ response.json.access_token }}
              secret: true
              expires:
                in: ${{ duration(string(response.json.expires_in) + "s") }}
                skew: 60s

        - for_each: file
          in: ${{ inputs.files }}
          concurrency: 8
          steps:
            # `effect: create` says that a repeat would make a second upload; the key makes a repeat safe.
            - id: allocate
              request:
                method: POST
                url: ${{ inputs.server + "/uploads" }}
                bearer: ${{ steps.sign_in.token }}
                json:
                  name: ${{ file.name }}
                  size: ${{ file.size }}
              effect: create
              idempotency: { header: Idempotency-Key }
              on:
                - if: ${{ response.status == 401 }}
                  expired: sign_in
              outputs:
                upload_id:
                  value: ${{ response.json.id }}
                  expires: { at: "${{ timestamp(response.json.expires_at) }}" }

            - id: upload
              upload:
                method: PUT
                url: ${{ inputs.server + "/uploads/" + steps.allocate.upload_id + "/content" }}
                bearer: ${{ steps.sign_in.token }}
                file: ${{ file }}
              on:
                - if: ${{ response.status == 401 }}
                  expired: sign_in
                # An expired upload is allocated again; results that do not depend on it are kept.
                - if: ${{ response.status in [404, 410] }}
                  expired: allocate

            # If the response is lost, the probe asks the server whether the call took effect.
            - id: finalize
              request:
                method: POST
                url: ${{ inputs.server + "/uploads/" + steps.allocate.upload_id + "/finalize" }}
                bearer: ${{ steps.sign_in.token }}
              depends_on: [upload]
              effect: create
              probe:
                request:
                  url: ${{ inputs.server + "/uploads/" + steps.allocate.upload_id }}
                  bearer: ${{ steps.sign_in.token }}
                took_effect: ${{ response.status == 200 && response.json.state == "complete" }}
              on:
                - if: ${{ response.status == 401 }}
                  expired: sign_in
                - if: ${{ response.status in [404, 410] }}
                  expired: allocate

      """)
}
