title = Back to the Code
enclosed = { $bot } замыкает кольцо: { cells }.
cells =
    { $cells ->
        [one] { $cells } клетка
        [few] { $cells } клетки
       *[other] { $cells } клеток
    }
lead = { $bot } выходит вперёд: { cells }.
rings = Всего колец у { $bot }: { $rings } ({ cells }).
more-points = { $points ->
        [one] { $points } клетка
        [few] { $points } клетки
       *[other] { $points } клеток
    } против { $other } у { $second }
equal-points = клеток поровну, { $points }
back = { $bot } делает BACK к раунду { $round }; освобождено: { cells }.
back_wasted = { $bot } делает BACK в первом же раунде: потрачен зря.
settled = Места уже не изменятся: остаётся один ход.
no_order = Ответ { $answer }, а нужно x y или BACK k.
back_too_far = Ответ BACK { $rounds }, а разрешено от 1 до { $most }.
second_back = Ответ — второй BACK, а за матч он только один.
off_board = В ответе { $axis } = { $value }, а { $axis } должен быть от 0 до { $most }.


## Rulesets and options

ruleset-contest = Как в соревновании
option-width = Ширина поля
option-height = Высота поля
option-rounds = Раунды


## Слова просмотра

viewer-back_left = Осталось BACK
viewer-area = область
viewer-agent = агент
viewer-neutral = нейтральная


## Слова для игрока

input-choose_step = Шагните или выберите, куда идти.
input-here = Вы на { $cell }.
input-walking = В пути к { $cell } …
input-choose_back = На { $rounds } раундов назад: см. поле.
input-step = Шаг на { $cell }
input-stay = Стоять
input-stop = Стоп
input-back = Назад во времени …
input-rounds = На сколько раундов назад
input-go_back = Назад на { $rounds }
input-cancel = Не надо
input-keys = стрелки, цифровой блок или W A S D: шаг · пробел: стоять · B: назад во времени · Backspace: стоп
