import { useFormats } from '../../../i18n/format.ts'
import { clockText } from '../../../ui/timer.tsx'
import { Figure, FigureRow } from '../figure.tsx'
import type { HistoryRow } from './history-query.ts'
import { useHistoryTexts } from './texts.ts'

type TotalFiguresProps = { readonly total: HistoryRow; readonly before: HistoryRow | undefined; readonly seconds: number }

/** The numbers of the whole range, each with that of the same time before it. */
export function TotalFigures({ total, before, seconds }: TotalFiguresProps) {
  const texts = useHistoryTexts()
  const { number, percent } = useFormats()
  const shown = (value: number | null | undefined, format: (value: number) => string): string =>
    value === null || value === undefined ? '–' : format(value)
  const note = (value: number | null | undefined, format: (value: number) => string): string => texts.before(shown(value ?? 0, format))
  const { missed, returned, averageReturnSeconds } = total
  return (
    <FigureRow label={texts.figures}>
      <Figure title={texts.allCalls} value={number(total.calls)}>
        {note(before?.calls, number)}
      </Figure>
      <Figure title={texts.levelWithin(seconds)} value={shown(total.serviceLevel, percent)}>
        {texts.before(shown(before?.serviceLevel, percent))}
      </Figure>
      <Figure title={texts.missed} value={number(missed)}>
        {note(before?.missed, number)}
      </Figure>
      <Figure title={texts.returned} value={number(returned)}>
        {missed === 0 ? texts.noneMissed : texts.ofMissed(percent(returned / missed), shown(averageReturnSeconds, longText))}
      </Figure>
      <Figure title={texts.wait} value={shown(total.averageWaitSeconds, clockText)}>
        {texts.before(shown(before?.averageWaitSeconds, clockText))}
      </Figure>
      <Figure title={texts.handling} value={shown(total.averageHandlingSeconds, clockText)}>
        {texts.before(shown(before?.averageHandlingSeconds, clockText))}
      </Figure>
    </FigureRow>
  )
}

/** `48 h` for what takes hours: nobody needs the seconds then. */
function longText(seconds: number): string {
  return seconds < 7_200 ? clockText(seconds) : `${Math.round(seconds / 3_600)} h`
}
