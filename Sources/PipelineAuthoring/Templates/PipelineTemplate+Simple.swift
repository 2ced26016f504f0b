import PipelineDocument

extension PipelineTemplate {
  static let put = PipelineTemplate(
    name: "put", pipeline: "upload",
    summary: "one PUT per file, as WebDAV and plain web servers accept",
    text: """
      # Upload each file with one PUT.
      #
      #   pipeline validate upload.yaml
      #   pipeline run upload.yaml --input server=https://files.example.com --input files='Documents/**/*'
      pipeline: upload
      description: Upload files with one PUT each.

      inputs:
        server:
          type: url
          description: Root of the server, without a slash at the end.
        files:
          type: files
          description: Files to upload, as a path, a folder or a glob such as 'Documents/**/*'.
          exclude: [.DS_Store, Thumbs.db]

      steps:
        # The steps of a loop run for each file, several files at a time.
        - for_each: file
          in: ${{ inputs.files }}
          concurrency: 4
          steps:
            # An upload sends a file in the background. It survives a restart and is retried after a failure.
            - id: put
              upload:
                method: PUT
                # `relative` is the path below the folder that the glob begins with, so that x/IMG_1.jpg and y/IMG_1.jpg are two.
                url: ${{ inputs.server + "/" + urlEscapePath(file.relative) }}
                file: ${{ file }}
              on:
                # Entries are tried in order. If none applies, 2xx is success and anything else a failure.
                - if: ${{ response.status == 507 }}
                  then: pause
                  message: the server's disk is full

      """)

  static let sync = PipelineTemplate(
    name: "sync", pipeline: "sync",
    summary: "one PUT per file, without those that the server has already",
    text: """
      # Upload each file with one PUT, but leave out those that the server has with the same size.
      #
      #   pipeline validate sync.yaml
      #   pipeline run sync.yaml --input server=https://files.example.com --input files='Documents/**/*'
      pipeline: sync
      description: Upload the files that the server does not have.

      inputs:
        server:
          type: url
          description: Root of the server, without a slash at the end.
        files:
          type: files
          description: Files to upload, as a path, a folder or a glob such as 'Documents/**/*'.
          exclude: [.DS_Store, Thumbs.db]

      steps:
        - for_each: file
          in: ${{ inputs.files }}
          concurrency: 4
          steps:
            # HEAD asks for the size without the content. A file that is there is counted as skipped.
            - id: look
              request: { method: HEAD, url: "${{ inputs.server + '/' + urlEscapePath(file.relative) }}" }
              on:
                - if: ${{ response.status == 200 && header(response.headers, "content-length").orValue("") == string(file.size) }}
                  then: skip_item
                  message: the server has it
                # It is not there, or has another size.
                - { if: "${{ response.status in [200, 404] }}", then: success }

            - id: put
              depends_on: [look]
              upload:
                method: PUT
                url: ${{ inputs.server + "/" + urlEscapePath(file.relative) }}
                file: ${{ file }}
              on:
                - if: ${{ response.status == 507 }}
                  then: pause
                  message: the server's disk is full

      """)

  static let form = PipelineTemplate(
    name: "form", pipeline: "form",
    summary: "multipart/form-data with a token, written to disk inside a budget",
    text: """
      # Upload each file in a multipart/form-data body.
      #
      #   pipeline run form.yaml --input server=https://api.example.com --input token=@token.txt
      pipeline: form
      description: Upload files as forms.

      inputs:
        server:
          type: url
          description: Root of the API, without a slash at the end.
        token:
          type: secret                       # never stored, never logged; asked for when it is missing
        files:
          type: files
          description: Files to upload; a glob is relative to this file's folder.

      # A background transfer sends a file, so each body is first written to disk, within this limit.
      budgets:
        disk: 256 MiB

      steps:
        - for_each: file
          in: ${{ inputs.files }}
          concurrency: 4
          steps:
            - id: body
              materialize:
                multipart:
                  - { name: name, text: "${{ file.name }}" }
                  - { name: file, file: "${{ file }}" }

            - id: send
              upload:
                method: POST
                url: ${{ inputs.server + "/files" }}
                bearer: ${{ inputs.token }}
                file: ${{ steps.body.file }}
              # A repeat would store the file twice; the server recognises a repeat by its key.
              effect: create
              idempotency: { header: Idempotency-Key }

      """)
}
