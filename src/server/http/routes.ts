import { AppError } from '../../kernel/errors.ts'
import { BodyTooLarge } from './body.ts'
import type { Handler, HttpContext } from './http-context.ts'
import { sendProblem } from './problem.ts'

/** A handler and its path in the table. */
export type Entry = { readonly path: string; readonly handler: Handler }

/** Finds the handler of a path: an exact path wins, then the longest prefix. Other paths get 404. */
export function createHandlerTable(handlers: Readonly<Record<string, Handler>>): (path: string) => Entry {
  const exact = new Map<string, Entry>()
  const prefixes: (Entry & { prefix: string })[] = []
  for (const [path, handler] of Object.entries(handlers)) {
    if (path.endsWith('/*')) prefixes.push({ prefix: path.slice(0, -1), path, handler })
    else exact.set(path, { path, handler })
  }
  prefixes.sort((a, b) => b.prefix.length - a.prefix.length)
  const none = { path: 'none', handler: problemHandler(unknownPath) }
  return (path) => exact.get(path) ?? prefixes.find((entry) => path.startsWith(entry.prefix)) ?? none
}

/** Answers 404, as for a path that does not exist. */
export function unknownPath(ctx: HttpContext): void {
  sendProblem(ctx, new AppError('NOT_FOUND', { detail: 'There is nothing at this path; /docs lists all of them' }))
}

/** A handler that answers errors as problem+json. */
export function problemHandler(handle: Handler['handle']): Handler {
  return {
    handle,
    answerError: (ctx, error) => sendProblem(ctx, error, error instanceof BodyTooLarge ? { status: 413 } : {}),
  }
}

/** Answers other methods with 405. */
export function onlyMethods(methods: readonly string[], handle: Handler['handle']): Handler['handle'] {
  return (ctx) => {
    if (methods.includes(ctx.request.method ?? '')) return handle(ctx)
    const detail = `This path allows only ${methods.join(', ')}`
    return sendProblem(ctx, new AppError('INVALID_INPUT', { detail }), { status: 405, headers: { allow: methods.join(', ') } })
  }
}
