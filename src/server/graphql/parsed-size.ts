import type { DocumentNode } from 'graphql'

/** graphql-js keeps each token, beside the nodes: 240 to 540 bytes for each, by what it is (measured with Node 24 on 2026-11-29). */
const bytesOfToken = 500

/** About what a document takes in memory with its text, for the bounds of caches: a text of one-letter fields takes 250 times its length. */
export function parsedBytes(source: string, { tokenCount = source.length }: DocumentNode): number {
  return textBytes(source) + bytesOfToken * tokenCount
}

export function textBytes(source: string): number {
  return 2 * source.length + 1
}
