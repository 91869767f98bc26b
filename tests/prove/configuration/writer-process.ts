import { writeSync } from 'node:fs'
import { type Writer, openDesk, readNumbers, writeNumber, writers } from './desk.ts'

/** Increases both numbers for ever (or `<times>` times) and prints each acknowledged write. Arguments: `<place> [<times>]` */
const [place = '', times = 'Infinity'] = process.argv.slice(2)
const desk = await openDesk(place)
const from = await readNumbers(desk)

const write = async (writer: Writer): Promise<void> => {
  for (let number = from[writer] + 1; number <= from[writer] + Number(times); number += 1) {
    await writeNumber(desk, writer, number)
    writeSync(1, `${writer} ${number}\n`)
  }
}

await Promise.all(writers.map(write))
process.exit(0)
