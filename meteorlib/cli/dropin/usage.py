"""The usage text of ``meteor-1.5`` and the error for wrong arguments."""

from __future__ import annotations

from meteorlib.errors import MeteorError

USAGE = """\
meteor-1.5 HYPOTHESES REFERENCES [options]: METEOR 1.5, with the options and the output of its jar

  -l LANGUAGE        en (default), cz, de, es, fr, ru; da fi hu it nl no pt ro se tr; other; ar-bw-red (experimental)
  -t TASK            rank, adq, hter, util, tune, li, universal (default: rank, or li where the language has no rank)
  -p 'A B G D'       alpha, beta, gamma, delta
  -m 'MATCHER ...'   any of: exact stem synonym paraphrase
  -w 'WEIGHT ...'    one weight per matcher
  -r COUNT           references per segment, on consecutive lines of REFERENCES (plain text only)
  -x WIDTH           beam width (default 40)
  -s FILE            function words, one per line (default: METEOR's English ones, for every language)
  -d FOLDER          synonyms (METEOR's own english.synsets and english.exceptions)
  -a FILE            paraphrase table (paraphrase-XX.gz); compiled at its first use
  -f PREFIX          prefix of the names of output files (default: meteor)
  -q                 only scores: those of segments to standard error, the final one to standard output
  -new FOLDER        another language: FOLDER holds function.words and paraphrase.gz
  -ch                lengths and matches in characters
  -norm              normalize and lowercase
  -lower             lowercase only
  -noPunct           with -norm: drop punctuation
  -sgml              the files are SGML
  -stdio             read lines from standard input (HYPOTHESES and REFERENCES are then -)
  -dialect NAME      of -stdio: cmu (default) or coco (the jar of image captioning tools: one EVAL scores many
                     statistics and their sum, SING scores one)
  -vOut              precision, recall, penalty and score instead of the score
  -ssOut             statistics instead of scores
  -writeAlignments   also write PREFIX-align.out
"""


class UsageError(MeteorError):
    """Wrong arguments; the message says which."""
