import { AppError } from '../../kernel/errors.ts'
import { BodyTooLarge } from './body.ts'
import type { Door, Exchange } from './http-context.ts'
import type { HttpFigures } from '../operations/metrics.ts'
import { sendProblem } from './problem.ts'

/** A door and the path under which it stands in the table. */
export type Entry = { readonly path: string; readonly door: Door; readonly figures: number[] }

/** Finds the door of a path: an exact path wins, then the longest prefix; else the door that answers 404. */
export function createDoorTable(doors: Readonly<Record<string, Door>>, { answers }: HttpFigures): (path: string) => Entry {
  const exact = new Map<string, Entry>()
  const prefixes: (Entry & { prefix: string })[] = []
  const entryOf = (path: string, door: Door): Entry => {
    const figures = [0, 0, 0, 0, 0, 0]
    answers.set(path, figures)
    return { path, door, figures }
  }
  for (const [path, door] of Object.entries(doors)) {
    if (path.endsWith('/*')) prefixes.push({ prefix: path.slice(0, -1), ...entryOf(path, door) })
    else exact.set(path, entryOf(path, door))
  }
  prefixes.sort((a, b) => b.prefix.length - a.prefix.length)
  const none = entryOf('none', problemDoor(unknownPath))
  return (path) => exact.get(path) ?? prefixes.find((entry) => path.startsWith(entry.prefix)) ?? none
}

/** Answers 404 as for a path at which nothing is. */
export function unknownPath(exchange: Exchange): void {
  sendProblem(exchange, new AppError('NOT_FOUND', { detail: 'There is nothing at this path' }))
}

/** A door that answers its errors as problem+json. */
export function problemDoor(handle: Door['handle']): Door {
  return {
    handle,
    answerError: (exchange, error) => sendProblem(exchange, error, error instanceof BodyTooLarge ? { status: 413 } : {}),
  }
}

/** Refuses other methods with 405; HEAD goes with GET. */
export function onlyMethods(methods: readonly string[], handle: Door['handle']): Door['handle'] {
  return (exchange) => {
    if (methods.includes(exchange.request.method ?? '')) return handle(exchange)
    const detail = `This path takes ${methods.join(', ')} only`
    return sendProblem(exchange, new AppError('INVALID_INPUT', { detail }), { status: 405, headers: { allow: methods.join(', ') } })
  }
}
