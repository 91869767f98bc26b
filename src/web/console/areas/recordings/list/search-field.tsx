import { Search, X } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { Input } from 'react-aria-components/Input'
import { SearchField as AriaSearchField } from 'react-aria-components/SearchField'
import { useListTexts } from './texts.ts'

/** After the last key, before the service is asked. */
const pauseMs = 350

export function SearchField({ value, onSearch }: { readonly value: string; readonly onSearch: (text: string) => void }) {
  const texts = useListTexts()
  const [typed, setTyped] = useState(value)
  // The value follows what was asked for here, maybe after the next key: only another one replaces what is typed.
  const [shown, setShown] = useState(value)
  const [asked, setAsked] = useState(value)
  if (shown !== value) {
    setShown(value)
    setAsked(value)
    if (value !== asked) setTyped(value)
  }
  const search = useCallback(
    (text: string): void => {
      setAsked(text.trim())
      onSearch(text.trim())
    },
    [onSearch],
  )
  useEffect(() => {
    if (typed.trim() === value) return
    const timer = setTimeout(() => search(typed), pauseMs)
    return () => clearTimeout(timer)
  }, [typed, value, search])
  return (
    <AriaSearchField
      className="rec-search"
      aria-label={texts.search}
      value={typed}
      onChange={setTyped}
      onSubmit={search}
      onClear={() => search('')}
      maxLength={300}
    >
      <Search aria-hidden="true" />
      <Input className="ui-input" placeholder={texts.searchHint} />
      {typed !== '' && (
        <Button className="rec-search-clear" aria-label={texts.clear}>
          <X aria-hidden="true" />
        </Button>
      )}
    </AriaSearchField>
  )
}
