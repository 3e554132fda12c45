S He go home .

S We is here .

S All is well .

