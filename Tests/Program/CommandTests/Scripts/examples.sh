# Prepares a folder in which the examples of `--help` and the files of docs/deploy run as they are printed.
# SERVER is the address of a demo server, and SOURCES the root of the project. With RUNS, there are runs to work on.
set -eu
mkdir -p Pipelines Pictures Camera DCIM/100 Photos Films drafts flows schemas home/.config/pipeline home/.config/systemd/user
number=1
while [ $number -le 41 ]; do
  echo "picture $number" > Pictures/IMG_$number.jpg
  number=$((number + 1))
done
for folder in Camera DCIM/100 Photos; do echo $folder > $folder/a.jpg; done
# Two files of one name would have one target.
echo Films > Films/film.jpg
cp -r Pictures Pipelines
for name in photos one-by-one; do
  sed "s|http://127.0.0.1:8080|$SERVER|" "$SOURCES/Pipelines/$name.yaml" > Pipelines/$name.yaml
done
cp "$SOURCES/Pipelines/photos.test.yaml" Pipelines
for name in photos untrusted one other flows/a; do cp Pipelines/photos.yaml $name.yaml; done
cat > upload.yaml <<END
pipeline: upload
inputs: { files: { type: files } }
steps:
  - for_each: file
    in: \${{ inputs.files }}
    steps:
      - { id: put, upload: { url: "$SERVER/v1/files/\${{ urlEscape(file.name) }}", file: "\${{ file }}" } }
END
pipeline new box > box.txt
for name in secret.txt SECRET TOKEN; do printf demo > $name; done
# Only one file is newer, and not what the test itself writes meanwhile.
touch -d "1 hour" last-run
touch -d "2 hours" Photos/a.jpg
echo '{ "type": "object" }' | tee openapi.schema.json > a.json
echo '{}' | tee api.yaml > data.json
head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n' > home/.config/pipeline/key-2026
chmod 600 home/.config/pipeline/key-2026
# What other programs would do.
mkdir -p programs
for name in systemctl mail dot secret-tool; do
  printf '#!/bin/sh\ncat > input.txt\necho words of another program\n' > programs/$name
  chmod +x programs/$name
done
if [ -n "${RUNS:-}" ]; then
  pipeline run photos.yaml --shard 1/2 --name shards --state one --progress none > runs.txt
  pipeline run photos.yaml --shard 2/2 --name shards --state two --progress none > runs.txt
  for name in holidays nightly camera photos-20260314-101502-k3f9 RUN; do
    pipeline run photos.yaml --name $name --progress none > runs.txt
  done
fi
