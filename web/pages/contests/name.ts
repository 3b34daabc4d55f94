/** The name of a directory without what is above it. */
export const nameOf = (directory: string): string => directory.split('/').findLast((each) => each !== '') ?? directory
