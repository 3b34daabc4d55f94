import { encode } from 'uqr'

/** Width of the white margin in modules. ISO/IEC 18004 requires four; phone cameras accept two. */
const border = 2
/** Black and white, whatever the colours of the terminal, because cameras do not recognise an inverted code. */
const [blackOnWhite, reset] = ['\u001b[38;5;16;48;5;231m', '\u001b[0m']

/** Returns lines that show a text as a QR code. Each character shows two modules, one above the other. */
export function qrCode(text: string): readonly string[] {
  const { data, size } = encode(text, { ecc: 'L', border })
  const isBlack = (x: number, y: number): boolean => data[y]?.[x] ?? false
  return Array.from({ length: Math.ceil(size / 2) }, (_, row) => {
    const modules = Array.from({ length: size }, (_, x) => {
      const [above, below] = [isBlack(x, row * 2), isBlack(x, row * 2 + 1)]
      return above ? (below ? '█' : '▀') : below ? '▄' : ' '
    })
    return `${blackOnWhite}${modules.join('')}${reset}`
  })
}
