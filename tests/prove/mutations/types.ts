import { join } from 'node:path'
import { API } from 'typescript/unstable/sync'
import { withEdits } from './edits.ts'
import type { Mutation } from './operators.ts'
import { root } from './sources.ts'

/** Asks the compiler about mutations, one at a time. */
export type TypeCheck = Disposable & { accepts(mutation: Mutation): boolean }

// Names that are not used any more and code that is never reached are no faults of a mutation.
const unnecessary = new Set([6133, 6192, 6196, 6198, 6199, 6205, 7027])

/** Reads the whole program once; each question is then about the mutated file alone. */
export function createTypeCheck(): TypeCheck {
  const texts = new Map<string, string>()
  const api = new API({ cwd: root, fs: { readFile: (path) => texts.get(path) } })
  const configuration = join(root, 'tsconfig.json')
  const errorsOf = (path: string): number => {
    using snapshot = api.updateSnapshot({ openProject: configuration, fileChanges: { changed: [path] } })
    const program = snapshot.getProject(configuration)?.program
    if (!program) throw new Error(`The compiler does not know ${configuration}.`)
    const found = [...program.getSyntacticDiagnostics(path), ...program.getSemanticDiagnostics(path)]
    return found.filter(({ code }) => !unnecessary.has(code)).length
  }
  return {
    accepts({ source, edits }) {
      const path = join(root, source.path)
      texts.set(path, withEdits(source.text, edits))
      const errors = errorsOf(path)
      texts.delete(path)
      return errors === 0
    },
    [Symbol.dispose]: () => api.close(),
  }
}
