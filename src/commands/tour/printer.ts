import type { WriteStream } from 'node:tty'
import { styleText } from 'node:util'
import type { StepResult } from './step-result.ts'

/** Prints the tour while it runs: a numbered line for each step, with its result below. */
export type Printer = {
  title(text: string): void
  done(title: string, result: StepResult<unknown>, ms: number): void
  leftOut(title: string, why: string): void
  failed(title: string, why: string): void
  note(text: string): void
  end(text: string, went: 'well' | 'wrong'): void
}

type Style = 'green' | 'red' | 'yellow' | 'dim' | 'bold'

const labelWidth = 11
const indent = '      '

/** Colours are used only on a terminal that supports them, and not if NO_COLOR is set. */
export function createPrinter(stream: NodeJS.WritableStream & Partial<Pick<WriteStream, 'columns' | 'isTTY'>>): Printer {
  const width = Math.max(60, Math.min(stream.columns ?? 100, 110))
  let number = 0
  const paint = (style: Style, text: string): string => styleText(style, text, { stream, validateStream: true })
  const line = (text = ''): void => void stream.write(`${text}\n`)
  const heading = (mark: string, title: string, end = ''): void => {
    number += 1
    const left = `${String(number).padStart(2)}  ${mark} ${title}`
    line(`${left}${' '.repeat(Math.max(2, width - visible(left) - visible(end)))}${end}`.trimEnd())
  }
  const below = (text: string, hanging = ''): void => {
    for (const row of wrap(text, width - indent.length - hanging.length).map((part, index) => (index === 0 ? part : hanging + part))) {
      line(indent + row)
    }
  }
  return {
    title: (text) => line(`\n${paint('bold', text)}\n`),
    done(title, { summary, facts = {} }, ms) {
      heading(paint('green', '✓'), paint('bold', title), paint('dim', `${Math.round(ms)} ms`))
      below(summary)
      for (const [label, fact] of Object.entries(facts)) {
        if (fact !== null) below(`${paint('dim', label.padEnd(labelWidth))} ${fact}`, ' '.repeat(labelWidth + 1))
      }
      line()
    },
    leftOut(title, why) {
      heading(paint('yellow', '-'), title)
      below(paint('dim', `left out: ${why}`))
      line()
    },
    failed(title, why) {
      heading(paint('red', '✗'), paint('bold', title))
      below(paint('red', why))
      line()
    },
    note: (text) => below(paint('yellow', text)),
    end: (text, went) => line(paint(went === 'well' ? 'green' : 'red', text)),
  }
}

function wrap(text: string, width: number): string[] {
  const rows: string[] = []
  for (const word of text.split(' ')) {
    const row = rows.at(-1)
    if (row !== undefined && visible(`${row} ${word}`) <= width) rows[rows.length - 1] = `${row} ${word}`
    else rows.push(word)
  }
  return rows
}

/** The width of a text on the screen, without its colour codes. */
function visible(text: string): number {
  // oxlint-disable-next-line no-control-regex -- an escape sequence begins with a control character
  return text.replaceAll(/\u001B\[\d+m/g, '').length
}
