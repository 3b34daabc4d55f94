/** Returns the last part of a directory's path. */
export const nameOf = (directory: string): string => directory.split('/').findLast((each) => each !== '') ?? directory
