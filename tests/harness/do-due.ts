import type { DeadLetterStore } from '../../src/ports/dead-letters.ts'
import { createDueWork, type DueTask } from '../../src/ports/due/due-work.ts'
import type { Ports } from '../../src/ports/ports.ts'

type WorkPorts = Pick<Ports, 'clock' | 'log' | 'store'> & { readonly bus?: object }

/** Does what is due of one list now, as the service does now and then. Resolves to how many items left the list; rejects if the work was stopped by an error. */
export async function doDue<Needed>(create: (ports: Needed) => DueTask, ports: Needed & WorkPorts): Promise<number> {
  const { carryOver: _, ...task } = create(ports)
  const { bus } = ports
  let done = 0
  const run: DueTask['run'] = async (items, signal) => {
    const results = await task.run(items, signal)
    done += results.filter((result) => result === 'DONE').length
    return results
  }
  await using work = createDueWork({ ...ports, bus: hasDeadLetters(bus) ? bus : { deadLetters: none } }, [{ ...task, run }])
  await (await work.begin()).ended()
  return done
}

const none: DeadLetterStore = { add: async () => {}, list: async () => [], read: async () => null, remove: async () => false }

function hasDeadLetters(bus: object | undefined): bus is { readonly deadLetters: DeadLetterStore } {
  return bus !== undefined && 'deadLetters' in bus
}
