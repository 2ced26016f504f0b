#!/bin/bash
# A run in shards as a Slurm job array, one shard in each task:
#
#   PIPELINE_STATE=/scratch/$USER/pipeline PIPELINE_ALLOW_HOST=photos.example.com \
#     sbatch --array=0-15 docs/deploy/slurm.sh photos.yaml --input server=https://photos.example.com
#
# Start it again with the same --job-name to continue: each task resumes its own shard, or starts it if it does not exist. PIPELINE_STATE must be on a
# file system that is the same on all nodes and has POSIX locks and shared memory maps (Lustre with -o flock, GPFS, CephFS; not NFS), or the array
# must be bound to one node.
#SBATCH --job-name=pipeline
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --cpus-per-task=1
# Measured: 54 MiB for a shard of 2,000 small files.
#SBATCH --mem=256M
#SBATCH --time=24:00:00
# Two minutes before the time is over, so that the shard stops after a checkpoint.
#SBATCH --signal=B:TERM@120
set -u

state=${PIPELINE_STATE:?names the folder for the shards}/$SLURM_JOB_NAME
mkdir -p "$state"
${PIPELINE:-pipeline} run "$@" --allow-host "${PIPELINE_ALLOW_HOST:?names the host of the server}" --shard auto --name "$SLURM_JOB_NAME" --continue --state "$state/$SLURM_ARRAY_TASK_ID" --progress plain &
run=$!
# A batch script gets Slurm's signals itself. The program answers this one with a checkpoint and the status 130.
trap 'stopped=1; kill -TERM $run' TERM
wait $run
status=$?
if [ -n "${stopped:-}" ]; then
  wait $run
  scontrol requeue "$SLURM_ARRAY_JOB_ID"_"$SLURM_ARRAY_TASK_ID"
fi
exit $status
