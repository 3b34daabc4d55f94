import { useEffect } from 'react'

/** The id of the control that is to have the focus once it is there. */
let wanted: string | null = null

/** `isHere`: on the view that is shown; else on the one that comes. */
export function wantFocus(id: string, isHere: boolean): void {
  const control = isHere ? document.getElementById(id) : null
  wanted = control === null ? id : null
  control?.focus()
}

/** Takes the focus if it was wanted before the control was drawn. */
export function useWantedFocus(id: string): void {
  useEffect(() => {
    if (wanted !== id) return
    wanted = null
    document.getElementById(id)?.focus()
  }, [id])
}
