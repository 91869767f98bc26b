import { existsSync, readFileSync } from 'node:fs'
import { AppError } from './errors.ts'

/** What `npm run build` makes for browsers. */
const builtFiles = new URL('../../dist/', import.meta.url)

/** A file for browsers. Throws NOT_FOUND, which says what to do, if it was not built. */
export function readBuilt(path: string): Buffer {
  try {
    return readFileSync(new URL(path, builtFiles))
  } catch (error) {
    throw new AppError('NOT_FOUND', {
      detail: 'This is not built. Run "npm run build" in the folder of the service, then try again',
      cause: error,
    })
  }
}

export function isBuilt(path: string): boolean {
  return existsSync(new URL(path, builtFiles))
}
