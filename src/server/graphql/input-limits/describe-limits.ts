import { type InputValueDefinitionNode, Kind, parse, print, visit } from 'graphql'
import { limitOf } from './input-limit.ts'

/** The SDL with each limit as a sentence at the end of the description of its argument or field. */
export function withLimitDescriptions(sdl: string): string {
  const document = visit(parse(sdl, { noLocation: true }), {
    InputValueDefinition(node): InputValueDefinitionNode | undefined {
      const sentences = sentencesOf(node)
      if (sentences === '') return undefined
      const value = [node.description?.value.trim() ?? '', sentences].join(' ').trim()
      return { ...node, description: { kind: Kind.STRING, value, block: value.includes('\n') } }
    },
  })
  return print(document)
}

/** Such as `1 to 100 characters.`; empty without a limit. */
function sentencesOf(node: InputValueDefinitionNode): string {
  const limit = limitOf(node)
  if (!limit) return ''
  const { form, minLength, maxLength, minimum, maximum, minItems, maxItems } = limit
  return [
    form.description,
    minLength === maxLength ? '' : range({ least: minLength || undefined, most: maxLength, unit: ' characters' }),
    range({ least: minimum, most: maximum, unit: '' }),
    range({ least: minItems, most: maxItems, unit: ' entries' }),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

function range({ least, most, unit }: { least: number | undefined; most: number | undefined; unit: string }): string {
  if (most === undefined) return ''
  const number = most.toLocaleString('en')
  return least === undefined ? `At most ${number}${unit}.` : `${least} to ${number}${unit}.`
}
