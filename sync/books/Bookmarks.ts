/**
 * Where a read continues, and that one has begun and not ended.
 */

/** That a pull of a connection has begun and not ended is kept with the bookmarks, under a name that none can have. */
export const readingOf = (connection: string): string => `${connection}#reading`
