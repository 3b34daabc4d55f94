# Rotates the logs in a directory: rotate.sh DIR KEEP
DIR=$1
KEEP=$2

if [ ! -d $DIR ]; then
  echo "no such directory: $DIR"
  exit 1
fi

for LOG in $(ls $DIR/*.log); do
  if [ -s $LOG ]; then
    N=1
    while [ $N -lt $KEEP ]; do
      NEXT=$((N + 1))
      if [ -e $LOG.$N ]; then
        mv $LOG.$N $LOG.$NEXT
      fi
      N=$NEXT
    done
    mv $LOG $LOG.1
    touch $LOG
    echo "rotated $(basename $LOG)"
  fi
done
